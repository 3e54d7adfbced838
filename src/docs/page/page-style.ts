/** One column on narrow screens; the contents beside it on wide ones. */
export const pageStyle = `:root {
  color-scheme: light dark;
  --ground: #ffffff;
  --raised: #f3f4f6;
  --line: #d0d4da;
  --text: #1c2024;
  --quiet: #545b64;
  --link: #0b57a4;
  --good: #17663a;
  --bad: #a3262a;
  --warm: #7a4a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a;
    --raised: #1f2429;
    --line: #3a424b;
    --text: #e6e9ec;
    --quiet: #a5aeb8;
    --link: #7fb9f5;
    --good: #74cf98;
    --bad: #f59a9c;
    --warm: #e8b465;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto;
  max-width: 80rem;
  padding: 0 1rem 4rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; padding: 0.5rem; background: var(--ground); }
h1 { margin: 1.5rem 0 0; font-size: 1.6rem; }
h2 { margin: 3rem 0 0.5rem; padding-bottom: 0.25rem; border-bottom: 2px solid var(--line); }
h3 { margin: 0 0 0.25rem; font-size: 1.1rem; }
h4 { margin: 1.25rem 0 0.25rem; font-size: 0.95rem; }
p { margin: 0.4rem 0; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
article, section > details, section > section {
  margin: 1.25rem 0;
  padding: 1rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}
.summary { font-weight: 600; }
.guarded, .required { color: var(--warm); }
.required { font-size: 0.85em; }
.type, .place, .caption { color: var(--quiet); font-size: 0.9em; }
.what { display: block; }
.method { font: 700 0.8em ui-monospace, monospace; color: var(--link); }
.method.post { color: var(--good); }
.method.delete { color: var(--bad); }
ul { padding-left: 1.1rem; }
ul.fields { margin: 0.25rem 0; padding-left: 0.9rem; border-left: 2px solid var(--line); list-style: none; }
ul.fields > li { margin: 0.4rem 0; }
.name { font-weight: 700; }
nav ul { list-style: none; padding-left: 0.75rem; }
nav li { margin: 0.25rem 0; }
details { margin: 0.4rem 0; }
summary { padding: 0.25rem 0; cursor: pointer; }
.good > summary code { color: var(--good); }
.bad > summary code { color: var(--bad); }
.code { position: relative; margin: 0.25rem 0 0.75rem; }
pre {
  margin: 0;
  max-height: 24rem;
  overflow: auto;
  padding: 0.75rem;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 0.4rem;
  white-space: pre-wrap;
}
.code button {
  margin-top: 0.25rem;
  padding: 0.3rem 0.8rem;
  border: 1px solid var(--line);
  border-radius: 0.4rem;
  background: var(--ground);
  color: var(--text);
  font: inherit;
  font-size: 0.85rem;
  cursor: pointer;
}
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 19rem minmax(0, 1fr); column-gap: 2rem; }
  header, .skip { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; font-size: 0.9rem; }
}
`
