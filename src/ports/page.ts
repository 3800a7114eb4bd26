/**
 * A page to look at: a report in one file. It is data, so that `pages/` alone writes HTML and foreign text cannot become any. Types only.
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
			/** A page that would be too large shows the first of them. */
			rows: readonly (readonly Cell[])[];
			/** In the place of a table without rows. */
			empty: string;
			/** How many there are, where these rows are only the first. */
			of?: number;
			/** Where all of them are. */
			where?: string;
	  }
	| { kind: "picture"; picture: Picture };

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

/** A picture that `pages/picture.ts` has drawn, the only place that can. */
export interface Picture {
	title: string;
	markup: object;
}

/** Boxes and the lines between them, not placed yet. */
export interface Diagram {
	/** What it shows, in a few words. */
	title: string;
	/** What it shows, in sentences, for those who cannot see it. */
	description: string;
	/** What stands above the boxes, and below them: a line each. */
	notes: readonly string[];
	legend: readonly string[];
	/** The first one stands at the left border. */
	boxes: readonly Box[];
	lines: readonly Line[];
}

export interface Box {
	name: string;
	/** A line each, below the name. */
	details: readonly string[];
	/** All that it says, nothing shortened: shown where the pointer rests. */
	whole: string;
	/** How it is drawn. What it means stands in its details too. */
	kind: "corporate" | "company" | "person" | "undeclared";
	/** At or above the threshold. */
	heavy: boolean;
}

export interface Line {
	/** Numbers of boxes; the arrow points to the second. */
	from: number;
	to: number;
	label: string;
	/** All that it says, nothing shortened. */
	whole: string;
	/** Part of a circle. */
	dashed: boolean;
	/** At or above the threshold. */
	heavy: boolean;
}
