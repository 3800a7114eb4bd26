/**
 * The sandbox's own pages look alike: plain, readable, no script, nothing from elsewhere.
 */

/** Text safe inside HTML, in an attribute too. */
export function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const look = `
:root { color-scheme: light dark; --ink: #1d2733; --paper: #fff; --line: #d9dee5; --accent: #0b5cad; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --paper: #12181f; --line: #33404d; --accent: #6db3f2; --bad: #f2938c; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 44rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; } form { display: inline-block; margin: 1rem .75rem 0 0; }
button { font: inherit; padding: .6rem 1.4rem; border-radius: .4rem; border: 1px solid var(--accent); background: var(--accent); color: var(--paper); cursor: pointer; }
button.no { background: none; border-color: var(--bad); color: var(--bad); }
footer { margin-top: 3rem; font-size: .85rem; opacity: .7; }`;

/** A whole page. `content` is HTML already; what it shows of others must have been escaped. */
export function pageOf(title: string, content: string, language = "en"): string {
	return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title><style>${look}</style></head>
<body>
${content}
<footer>Embedded sandbox of purser. Nothing here is real.</footer>
</body>
</html>
`;
}
