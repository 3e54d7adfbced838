/** One column on narrow screens; on wide ones the contents beside it, and the samples in a third. */
export const pageStyle = `@import url("/assets/fonts.css");
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f6f3, #0e1115);
  --paper: light-dark(#ffffff, #161a20);
  --raised: light-dark(#f0f0ec, #1d2229);
  --line: light-dark(#e2e3de, #272d36);
  --text: light-dark(#16191d, #e9ecf0);
  --quiet: light-dark(#4c535c, #b0b7c1);
  --accent: light-dark(#1b4fd0, #9cc7ff);
  --good: light-dark(#12703c, #6fd19a);
  --bad: light-dark(#b3261e, #ff9c94);
  --warm: light-dark(#8a5a00, #f0c05a);
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 400 0.9375rem/1.55 Inter, "Inter Room", system-ui, sans-serif;
  font-variant-numeric: lining-nums;
  overflow-wrap: anywhere;
}
.site {
  position: sticky;
  top: 0;
  z-index: 1;
  background: var(--paper);
  border-bottom: 1px solid var(--line);
}
.site div, .page { max-width: 96rem; margin: 0 auto; padding: 0 clamp(12px, 2.4vw, 28px); }
.site div { display: flex; flex-wrap: wrap; align-items: center; gap: 0 8px; min-height: 3.5rem; }
.site a { color: var(--quiet); font-weight: 600; text-decoration: none; padding: 8px 10px; }
.site .brand {
  display: flex;
  align-items: center;
  gap: 8px;
  padding: 0 12px 0 0;
  color: var(--text);
  font-size: 1.25rem;
  letter-spacing: -0.02em;
}
.site img { width: 24px; height: 24px; border-radius: 6px; }
.site [aria-current] { color: var(--text); box-shadow: inset 0 -2px 0 var(--accent); }
.page { padding-bottom: 4rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; z-index: 2; }
.skip:focus { left: 1rem; top: 0.5rem; padding: 0.5rem; background: var(--paper); }
h1 { margin: 1.5rem 0 0; font-size: 1.75rem; line-height: 1.22; letter-spacing: -0.015em; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.3125rem; letter-spacing: -0.01em; }
h3 { margin: 1.25rem 0 0.25rem; font-size: 0.95rem; }
article h2, section h2:first-child { margin-top: 0; font-size: 1.1rem; }
p { margin: 0.4rem 0; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
article {
  margin: 1.25rem 0;
  padding: 1rem;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--paper);
}
.summary { font-weight: 600; }
.guarded, .required { color: var(--warm); }
.required { font-size: 0.85em; }
.type, .place, .caption { color: var(--quiet); font-size: 0.9em; }
.what { display: block; }
.method { font: 700 0.8em ui-monospace, monospace; color: var(--accent); }
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
.code button { position: absolute; top: 0.4rem; right: 0.4rem; }
.code pre { padding-right: 5rem; }
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
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.shown { min-width: 0; }
.try { display: flex; flex-wrap: wrap; gap: 0 1rem; }
.try details { display: contents; }
.try summary { order: -1; color: var(--quiet); font-weight: 600; list-style: none; }
.try summary::-webkit-details-marker { display: none; }
.try details[open] > summary { color: var(--text); box-shadow: inset 0 -2px 0 var(--accent); }
.try details::details-content { display: contents; }
.try .code, .try .run, .try > pre { flex: 0 0 100%; min-width: 0; }
.try > pre { font-size: 0.85rem; }
.try details:not([open]) .code { display: none; }
.run:not([hidden]) { display: flex; gap: 0.5rem; margin-bottom: 0.5rem; }
.run input {
  flex: 1;
  min-width: 0;
  padding: 0.4rem 0.6rem;
  border: 1px solid var(--quiet);
  border-radius: 0.4rem;
  background: var(--ground);
  color: var(--text);
  font: 0.85rem ui-monospace, monospace;
}
.parts {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
  gap: 0.75rem;
  padding: 0;
  list-style: none;
}
.parts li {
  position: relative;
  padding: 0.9rem 1rem;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--paper);
}
.parts li:hover { border-color: var(--quiet); }
.parts a { font-weight: 600; text-decoration: none; }
.parts a::after { position: absolute; inset: 0; content: ""; }
.contents input {
  width: 100%;
  margin: 0.5rem 0;
  padding: 0.4rem 0.6rem;
  border: 1px solid var(--quiet);
  border-radius: 0.4rem;
  background: var(--paper);
  color: var(--text);
  font: inherit;
}
.code button, .run button {
  padding: 0.3rem 0.8rem;
  border: 1px solid var(--line);
  border-radius: 0.4rem;
  background: var(--paper);
  color: var(--text);
  font: inherit;
  font-size: 0.85rem;
  cursor: pointer;
}
nav.contents a { color: var(--quiet); text-decoration: none; }
nav.contents [aria-current] { color: var(--text); font-weight: 700; }
.contents .folded { display: none; }
.contents.searching .folded { display: block; }
.contents > details > ul { padding-left: 0; }
nav.contents a:hover { color: var(--text); text-decoration: underline; }
@media (min-width: 64rem) {
  .page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); column-gap: 2.5rem; }
  .contents { position: sticky; top: 3.5rem; max-height: calc(100vh - 3.5rem); overflow-y: auto; }
  .contents { padding: 1rem 0.25rem; font-size: 0.9em; }
  .contents summary { display: none; }
}
@media (min-width: 80rem) {
  main > p { max-width: 46rem; }
  article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 0.85fr); column-gap: 2rem; }
  .shown { position: sticky; top: 4.5rem; align-self: start; }
  .shown pre { max-height: calc(100vh - 14rem); }
}
@media print {
  .site, .contents, .code button { display: none; }
  body { background: #fff; }
}
`
