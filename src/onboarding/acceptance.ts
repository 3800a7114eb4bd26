/**
 * The evidence of an acceptance of the terms: who, when, which version, which document.
 */
import { createHash } from "node:crypto";
import type { Received } from "../api/answer.js";
import { viewRelated } from "../api/related.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { saveDocument } from "./opening.js";

/** Largest document whose digest is taken. */
const mostBytes = 50 * 1024 * 1024;

export interface Acceptance {
	corporateId: string;
	version: string;
	/** `asked` until the service has taken it: a file that says so is no evidence yet. */
	state: "asked" | "accepted";
	/** RFC 3339 UTC. */
	at: string;
	/** The account owner, where the deployment tells. */
	acceptedBy?: { relatedId?: string; name?: string };
	document?: { url?: string; language?: string; sha256?: string };
}

/**
 * SHA-256 of a file, hex; undefined where none is given.
 * @throws PurserError usage, where it cannot be read
 */
export async function digestOfFile(context: Context, path: string | undefined): Promise<string | undefined> {
	if (path === undefined) return undefined;
	try {
		return createHash("sha256")
			.update(await context.files.read(path, mostBytes))
			.digest("hex");
	} catch (cause) {
		throw new PurserError("usage", {
			code: "FILE_NOT_READ",
			message: `Cannot read the document ${path}, so nothing was accepted`,
			why: cause instanceof Error ? cause.message : undefined,
			fix: "Give the document that was shown to the account owner with --document FILE, or leave it out.",
			cause,
		});
	}
}

/** The account owner is who accepts the terms (specification 2.1, lastTermsAccepted). */
export function accountOwner(related: readonly Received[] | undefined): Acceptance["acceptedBy"] {
	const owner = related?.map(viewRelated).find(({ isAccountOwner }) => isAccountOwner);
	return owner && { relatedId: owner.id, name: owner.name };
}

/**
 * Writes the evidence to a file.
 * @param first false once the file is this run's own
 * @throws PurserError guard, where the file exists; PurserError usage, where it cannot be written
 */
export async function keepEvidence(context: Context, path: string, acceptance: Acceptance, first: boolean): Promise<void> {
	await saveDocument(context, path, new TextEncoder().encode(`${JSON.stringify(acceptance, null, 2)}\n`), !first);
}
