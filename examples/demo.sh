# `make demo`: links in; canonical URLs, keys, and what was the same, out.
set -eu
links=examples/links.txt

say() { printf '\n%s\n' "$1"; }

say "The links of $links, each as its canonical URL:"
echo "$ sameas canon --input $links"
sameas canon --input "$links" || [ $? -eq 1 ] # 1: done, and the refused links are named

say "What was the same (key, how many links, the page):"
echo "$ python examples/what_was_the_same.py $links"
python examples/what_was_the_same.py "$links"

say "Why two links are the same page:"
set -- 'http://riverherald.com/local/harbour-bridge-repair-opens' \
  'https://www.riverherald.com:443/local/harbour-bridge-repair-opens/?utm_source=x#comments'
echo "$ sameas same '$1' '$2'"
sameas same "$1" "$2"

say "And every step that one of them takes:"
echo "$ sameas explain '$2'"
sameas explain "$2"

articles=examples/articles.csv
say "Which articles are one story (by URL, then by title), and which copy stays:"
echo "$ sameas dedupe $articles | cut -d , -f 2"
(sameas dedupe "$articles" || [ $? -eq 1 ]) | cut -d , -f 2
