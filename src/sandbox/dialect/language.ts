/**
 * How requests and answers of a sandbox look: as the operations are described, or in a deployment's dialect.
 */
import type { catalog } from "../../api/operations/catalog.js";
import type { Request, Response } from "../message.js";

/** What a request means. */
export interface Meant {
	operation: (typeof catalog)[number];
	/** The named parts of the path, decoded. */
	params: Readonly<Record<string, string>>;
	query: URLSearchParams;
	/** How many records a list leaves out before its page begins, where the page has no number. */
	from?: number;
	/** Called once the asker is let in. @throws HttpError 400, 413, 415 */
	body(): Record<string, unknown>;
	/** The answer in the asker's form. */
	told(answer: Response): Response;
	/** The status of a payment that waits for strong authentication. */
	waiting: number;
}

export interface Language {
	/**
	 * What a request means. Several where it does not say which of them: the one whose record there is.
	 * @throws HttpError 400, 404, 405
	 */
	meaningsOf(request: Request, path: string, query: URLSearchParams): readonly [Meant, ...Meant[]];
	/** An error that no operation answered, in the asker's form. */
	refused(answer: Response): Response;
}
