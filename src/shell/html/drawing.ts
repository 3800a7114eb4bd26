/**
 * A drawing as SVG.
 */
import type { Drawing } from "../../ports/page.js";
import { html, type Markup } from "./markup.js";

/** The styles of drawings, which the page that holds one includes. */
export const drawingStyles = "";

/** A drawing inside a page. */
export function drawingMarkup({ title, description }: Drawing): Markup {
	return html`<svg role="img"><title>${title}</title><desc>${description}</desc></svg>`;
}
