// Keys for the queue of reviews. The page works without them: they press its own buttons.
"use strict";
const questions = [...document.querySelectorAll("[data-question]")];
const told = document.querySelector(".keys");
const toggle = told?.querySelector("button");
let on = localStorage.getItem("keys") !== "off";

function show() {
  toggle.textContent = on ? "Keys are on" : "Keys are off";
  toggle.setAttribute("aria-pressed", String(on));
}

function choose(step) {
  const here = questions.indexOf(document.activeElement.closest("[data-question]"));
  const next = here < 0 ? 0 : Math.min(questions.length - 1, Math.max(0, here + step));
  questions[next]?.focus();
}

function press(number) {
  const question = document.activeElement.closest("[data-question]");
  question?.querySelectorAll("button")[number - 1]?.click();
}

function pressed(event) {
  if (!on || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea")) return;
  if (event.key === "j") choose(1);
  else if (event.key === "k") choose(-1);
  else if (event.key === "u") document.querySelector("[data-key=u]")?.click();
  else if (/^[1-9]$/.test(event.key)) press(Number(event.key));
  else return;
  event.preventDefault();
}

if (told) {
  told.hidden = false;
  show();
  toggle.addEventListener("click", () => {
    on = !on;
    localStorage.setItem("keys", on ? "on" : "off");
    show();
  });
}
document.addEventListener("keydown", pressed);
