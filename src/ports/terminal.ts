/**
 * The streams of a run and the questions to a person. Types only.
 */

export interface Output {
	/** Writes and resolves once it was handed on; a closed pipe is not an error. */
	write(text: string): Promise<void>;
	/** Whether it is known by now that nobody reads it any more. */
	readonly isClosed?: () => boolean;
	readonly isTerminal: boolean;
	/** Columns of the terminal; 80 where there is none. */
	readonly columns: number;
	/** Colours the terminal itself can show: 0 none, 1 16, 2 256, 3 16 million. */
	readonly colours: 0 | 1 | 2 | 3;
	/** The stream itself, where a library has to move its cursor; absent where there is none. */
	readonly stream?: NodeJS.WritableStream;
}

export interface Terminal {
	readonly stdout: Output;
	readonly stderr: Output;
	readonly stdin: {
		readonly isTerminal: boolean;
		/** Everything on standard input, as bytes, at most `limit`. */
		read(limit: number): Promise<Uint8Array>;
		/** Standard input of any size, a piece at a time. */
		stream(): AsyncIterable<Uint8Array>;
	};
}

export interface Choice {
	value: string;
	label: string;
	hint?: string;
}

interface Question {
	message: string;
	/** Says what is wrong with an answer, or undefined. Asked again at most `tries` times. */
	check?: (answer: string) => string | undefined;
	fallback?: string;
}

/** Every prompt throws PurserError `interrupted` on Ctrl-C. */
export interface Prompts {
	text(question: Question): Promise<string>;
	/** Nothing typed is shown. */
	secret(question: Omit<Question, "fallback">): Promise<string>;
	confirm(question: { message: string; fallback: boolean }): Promise<boolean>;
	/** A list that narrows as one types. `other` allows a value outside the list, which `check` then looks at. */
	choose(question: {
		message: string;
		choices: readonly Choice[];
		other?: boolean;
		fallback?: string;
		check?: Question["check"];
		/** An answer sends something: what was typed before the question stood there does not count. */
		sends?: boolean;
	}): Promise<string>;
}
