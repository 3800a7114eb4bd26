/**
 * The streams of a run and the questions to a person. Types only.
 */

export interface Output {
	/** Resolves once the text is passed on; a closed pipe is not an error. */
	write(text: string): Promise<void>;
	/** Whether the reader is known to have closed the pipe. */
	readonly isClosed?: () => boolean;
	readonly isTerminal: boolean;
	/** Columns of the terminal; 80 where there is none. */
	readonly columns: number;
	/** Colours that the terminal can show: 0 none, 1 for 16, 2 for 256, 3 for 16 million. */
	readonly colours: 0 | 1 | 2 | 3;
	/** For a library that moves the cursor; absent if there is no stream. */
	readonly stream?: NodeJS.WritableStream;
}

export interface Terminal {
	readonly stdout: Output;
	readonly stderr: Output;
	readonly stdin: {
		readonly isTerminal: boolean;
		/** Everything on standard input, as bytes, at most `limit`. */
		read(limit: number): Promise<Uint8Array>;
		/** Standard input of any size, in pieces. */
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
	/** Returns what is wrong with an answer, or undefined. The question is repeated a limited number of times. */
	check?: (answer: string) => string | undefined;
	fallback?: string;
}

/** Every prompt throws PurserError `interrupted` on Ctrl-C. */
export interface Prompts {
	text(question: Question): Promise<string>;
	/** What is typed is not shown. */
	secret(question: Omit<Question, "fallback">): Promise<string>;
	confirm(question: { message: string; fallback: boolean }): Promise<boolean>;
	/** A list that narrows as one types. `allowOther` accepts a value outside the list that passes `check`. */
	choose(question: {
		message: string;
		choices: readonly Choice[];
		allowOther?: boolean;
		fallback?: string;
		check?: Question["check"];
		/** They are records of the service: a short list is narrowed too. */
		records?: boolean;
		/** Lines shown above the question, such as everything that it is about. */
		above?: readonly string[];
		/** The answer sends something, so anything typed before the question was shown is discarded. */
		sends?: boolean;
	}): Promise<string>;
}
