/**
 * A page to look at: a report in one file. It is data, so that `shell/html` alone writes HTML and foreign text cannot become any. Types only.
 */

/** What a text means. It is always said in words too, never by colour alone. */
export type Tone = "good" | "warn" | "bad" | "quiet";

/** A place that holds a value; an undefined one stays empty. */
export type Cell =
	| string
	| { text: string; tone?: Tone }
	/** RFC 3339, shown in UTC: the page of one answer is the same on every machine. */
	| { time: string }
	/** A digest, an id or a command: shown in a fixed width, broken anywhere. */
	| { code: string }
	/** Decimal text and the currency's code, where it is known; shown with its digits grouped. */
	| { amount: string; currency?: string }
	| undefined;

/** A part of a section. */
export type Block =
	| { kind: "text"; text: string; tone?: Tone }
	/** Something to see before the rest: a warning, or that all is well. */
	| { kind: "notice"; text: string; tone: Exclude<Tone, "quiet"> }
	| { kind: "facts"; rows: readonly (readonly [label: string, value: Cell])[] }
	| {
			kind: "table";
			/** What it lists; for screen readers, and above it in print. */
			caption: string;
			columns: readonly { name: string; right?: boolean }[];
			rows: readonly (readonly Cell[])[];
			/** In the place of a table without rows. */
			empty: string;
			/** Below a table that does not show everything: how many there are, and where. */
			more?: string;
	  }
	/** `atWords`: what the time `at` is that of, such as `open since`. */
	| { kind: "checklist"; items: readonly { state: string; tone: Tone; label: string; note?: Cell; at?: string; atWords?: string }[] }
	/** Bars beside their labels and numbers. */
	| { kind: "histogram"; caption: string; bars: readonly { label: string; count: number }[] }
	| { kind: "picture"; drawing: Drawing }
	/** A text with its own line ends, such as a review; shown as it is. */
	| { kind: "lines"; text: string };

export interface Section {
	title: string;
	blocks: readonly Block[];
}

export interface Page {
	title: string;
	/** One or two sentences below the title. */
	lead?: string;
	/** Whether personal data is masked, which the page says; undefined where it holds none. */
	personalData?: "masked" | "shown";
	/** The tool and its version. */
	madeBy: string;
	/** When what it shows was read, RFC 3339 UTC. */
	madeAt?: string;
	/** Where it comes from: the profile and the environment, `acme (sandbox)`. */
	of?: string;
	sections: readonly Section[];
}

/** A picture of boxes and the arrows between them: lengths in pixels from its top left corner. */
export interface Drawing {
	/** What it shows, in a few words. */
	title: string;
	/** What it shows, in sentences, for those who cannot see it. */
	description: string;
	width: number;
	height: number;
	boxes: readonly Box[];
	arrows: readonly Arrow[];
	remarks: readonly Remark[];
}

/** A line of text in a drawing; it fits where it stands. */
export interface Line {
	text: string;
	/** Its middle. */
	x: number;
	/** Its baseline. */
	y: number;
	/** Of the font. */
	size: number;
	bold?: boolean;
	quiet?: boolean;
}

export interface Box {
	id: string;
	x: number;
	y: number;
	width: number;
	height: number;
	/** What stands in it; long names are shortened. */
	lines: readonly Line[];
	/** All that it says, nothing shortened: shown where the pointer rests. */
	whole: string;
	/** How it is drawn. What it means stands in its lines too. */
	kind: "corporate" | "company" | "person" | "undeclared";
	/** At or above the threshold. */
	heavy?: boolean;
}

export interface Arrow {
	/** Ids of boxes. */
	from: string;
	to: string;
	/**
	 * From the border of one box to that of the other, through these points. Between two that lie neither below nor beside each other it is
	 * a curve that leaves and arrives upright.
	 */
	points: readonly (readonly [x: number, y: number])[];
	label: Line;
	/** Room that is kept for its label, around its middle. */
	labelWidth: number;
	/** All that it says, nothing shortened. */
	whole: string;
	/** It leads back to a layer that was passed: part of a circle. */
	dashed?: boolean;
	/** At or above the threshold. */
	heavy?: boolean;
}

/** A line beside the boxes, from `x` on: a remark, or what a sign means. */
export interface Remark {
	text: string;
	x: number;
	y: number;
	size: number;
	bold?: boolean;
	/** A small picture of the sign, left of the text; it takes up 36 pixels. */
	sign?: "arrow" | "heavy" | "dashed" | "person" | "company" | "owner";
}
