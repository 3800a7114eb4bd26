/**
 * The evidence of an acceptance of the terms: who, when, which version, which document.
 */
import * as z from "zod/mini";
import { sha256 } from "../../api/digest.js";
import { jsonDocument } from "../../api/json.js";
import { viewRelated } from "../../api/operations/related.js";
import { field } from "../../api/schema.js";
import { troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { listRelatedOf } from "../records/reading.js";
import { saveDocument } from "./documents.js";

/** Maximum size of a document whose digest is taken, in bytes. */
const maxBytes = 50 * 1024 * 1024;

/** The flag of every command that can accept terms. A file of somebody else's must not give the operator's word. */
export const confirmedBy = () =>
	z.optional(
		field(z.enum(["account-owner", "operator"]), {
			description: "Whose word it is that the account owner has seen and accepted the terms; recorded in the journal",
			flagOnly: true,
		}),
	);

export interface Acceptance {
	corporateId: string;
	version: string;
	/** `asked` until the service has accepted the request: such a file is no evidence yet. */
	state: "asked" | "accepted";
	/** RFC 3339 UTC. */
	at: string;
	/** Whose word it is that the account owner has seen and accepted them. */
	confirmedBy: "account-owner" | "operator";
	/** The account owner, where the deployment shows it. */
	acceptedBy?: { relatedId?: string; name?: string };
	document?: AcceptedDocument;
}

/** The document that was accepted. */
export interface AcceptedDocument {
	/** Its address from the service. */
	url?: string;
	language?: string;
	/** Of its bytes, hex; absent where they could not be read. */
	sha256?: string;
	bytes?: number;
	/** Whether the bytes are of a given file, or were just downloaded from the service's address. */
	digestOf?: "file" | "download";
	/** Why there is no digest. */
	why?: string;
}

/**
 * The document with its digest: of the given file, else of the download. A failed download is warned about and recorded; it does not keep
 * the terms from being accepted.
 * @param download fetches an address
 * @throws PurserError usage, where the file cannot be read; interrupted on Ctrl-C
 */
export async function withDigest(
	context: Context,
	document: AcceptedDocument,
	path: string | undefined,
	download: (address: string) => Promise<{ bytes: Uint8Array }>,
): Promise<AcceptedDocument> {
	if (path !== undefined) return { ...document, ...digested(await fileBytes(context, path), "file") };
	try {
		if (document.url === undefined) throw noAddress();
		return { ...document, ...digested((await download(document.url)).bytes, "download") };
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		context.report.warn(`${error.message}. The acceptance is recorded without the document's digest; --document FILE gives it`);
		return { ...document, why: error.message };
	}
}

const digested = (bytes: Uint8Array, digestOf: "file" | "download") => ({ sha256: sha256(bytes), bytes: bytes.length, digestOf }) as const;

function noAddress(): PurserError {
	return new PurserError("unavailable", {
		code: "NO_ADDRESS",
		message: "The service gave no address of the document",
		fix: "Give the document that was shown with --document FILE.",
	});
}

/** @throws PurserError usage, where it cannot be read or is empty */
async function fileBytes(context: Context, path: string): Promise<Uint8Array> {
	try {
		const bytes = await context.files.read(path, maxBytes);
		if (bytes.length === 0) throw new RangeError("The file is empty");
		return bytes;
	} catch (cause) {
		throw new PurserError("usage", {
			code: "FILE_NOT_READ",
			message: `Cannot read the document ${path}, so nothing was accepted`,
			why: troubleWords(cause),
			fix: "Give the document that was shown to the account owner with --document FILE, or leave it out.",
			cause,
		});
	}
}

/**
 * Writes the evidence to a file.
 * @param first false once this run has created the file
 * @throws PurserError guard, where the file exists; PurserError usage, where it cannot be written
 */
export async function saveEvidence(context: Context, path: string, acceptance: Acceptance, first: boolean): Promise<void> {
	await saveDocument(context, path, new TextEncoder().encode(jsonDocument(acceptance)), !first);
}

/** The account owner, where the deployment lists related entities; an acceptance is valid without it. */
export async function readAccountOwner(context: Context, service: Service, corporateId: string): Promise<Acceptance["acceptedBy"]> {
	try {
		const { records } = await listRelatedOf(service, corporateId);
		const owner = records.map(viewRelated).find(({ isAccountOwner }) => isAccountOwner);
		return owner && { relatedId: owner.id, name: owner.name };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		context.report.verbose(`The account owner could not be read: ${error.message}`);
		return undefined;
	}
}
