/**
 * A picture of boxes and the arrows between them, as lengths in pixels from its top left corner. Types only.
 */

export interface Box {
	id: string;
	x: number;
	y: number;
	width: number;
	height: number;
	/** What stands in it; each fits the box. */
	lines: readonly string[];
	/** How it is drawn. What it means stands in its lines too. */
	kind: "company" | "person" | "owner" | "undeclared";
}

export interface Arrow {
	/** Ids of boxes. */
	from: string;
	to: string;
	/** From the edge of one box to that of the other, through these points. */
	points: readonly (readonly [x: number, y: number])[];
	label: string;
	/** It leads back to a layer that was passed: part of a circle. */
	dashed?: boolean;
	/** At or above the threshold. */
	heavy?: boolean;
	/** Where its label's middle stands. */
	labelAt: readonly [x: number, y: number];
}

export interface Drawing {
	/** What it shows, in a few words. */
	title: string;
	/** What it shows, in sentences, for those who cannot see it. */
	description: string;
	width: number;
	height: number;
	boxes: readonly Box[];
	arrows: readonly Arrow[];
}
