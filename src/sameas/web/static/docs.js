// The API's own page: everything comes from this service, nothing is looked up elsewhere.
"use strict";
addEventListener("DOMContentLoaded", () => {
  SwaggerUIBundle({ url: "/openapi.json", dom_id: "#swagger", validatorUrl: null, deepLinking: true,
    defaultModelsExpandDepth: 0 });
});
