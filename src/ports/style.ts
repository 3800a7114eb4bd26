/**
 * Formatting for human text, so that commands need not know the terminal. Types only.
 */
import type { Advice } from "../errors.js";
import type { NameOf } from "./resolver.js";

/** Values by their labels; a list where a label may stand twice. */
export type Rows = Readonly<Record<string, string | undefined>> | readonly (readonly [label: string, value: string | undefined])[];

/** Styles for human text; each returns the text unchanged where colour is off. */
export interface Style {
	bold(text: string): string;
	dim(text: string): string;
	good(text: string): string;
	bad(text: string): string;
	warn(text: string): string;
	accent(text: string): string;
	/** Columns to fit into. */
	readonly columns: number;
	/** A text broken between words into lines of so many columns of the terminal; wide characters take two. */
	wrapped(text: string, columns: number): string[];
	/** The moment of the run, for relative times. */
	readonly now: Date;
	/** A borderless table that fits the width; ids are never cut. */
	table(columns: readonly string[], rows: readonly (readonly string[])[]): string;
	/** A table of all that is listed, by the headers of its columns; where nothing is, people read `none`. */
	list<T>(all: readonly T[], none: string, columns: Readonly<Record<string, (one: T) => string | undefined>>): string;
	/** Aligned `label  value` lines; undefined values are left out, and digests without --verbose. */
	pairs(rows: Rows): string;
	/** What was done, with its pairs below. */
	done(what: string, rows: Rows): string;
	/** A status word, coloured by what it means. */
	status(word: string | undefined): string;
	/** RFC 3339 to the wall's clock and relative: `2026-03-01 11:22 +01:00 (3 minutes ago)`. Unreadable text comes back as it is. */
	time(text: string | undefined): string | undefined;
	/** The same without the relative part, to fit into a table. */
	moment(text: string | undefined): string | undefined;
	/** The time of day: `11:22:33 +01:00`. */
	clock(moment: Date): string;
	/** A sentence of ours with its times by the wall's clock. */
	localized(text: string): string;
	/** An amount with its currency, digits grouped for reading only: `18 230.55 EUR`. */
	money(amount: string | undefined, currency: string | undefined): string | undefined;
	/** What people call a record, `Main account of Example Bakery SAS`; undefined where nothing has told it. */
	readonly called: NameOf;
	/** Renders advice as text; its commands name the profile given to the run. */
	readonly shown: (advice: Advice) => string;
	/** Only the records in one table are wanted, for pipes. */
	readonly cells?: boolean;
	/** Suggested commands, each alone on a line so that it can be copied. */
	next(steps: readonly Advice[]): string;
}
