import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import type { Context } from "../../context.js";
import { type Fault, PurserError } from "../../errors.js";
import { checkAgainst } from "../../mapping/check.js";
import { readOpenApi } from "../../mapping/document.js";
import { mappingFaults } from "../../mapping/faults.js";
import { type MappingFault, readMapping } from "../../mapping/file.js";
import { mappingDigest } from "../../mapping/request/confirmation.js";
import type { Mapping } from "../../ports/mapping.js";
import type { Profile } from "../../ports/profiles.js";

export const lineFault = () =>
	z.strictObject({
		/** From 1; null where it cannot be told. */
		line: z.nullable(z.number()),
		/** The operation, or a part that holds for all: `corporate.create`, `paging`. */
		of: z.string(),
		/** Where in it: `fields industry`. */
		at: z.string(),
		message: z.string(),
	});

export type LineFault = z.output<ReturnType<typeof lineFault>>;

/** A mapping file as it was read: with faults there is no mapping that can be used. */
interface ReadFile {
	mapping?: Mapping;
	faults: LineFault[];
}

/**
 * @param against an OpenAPI document that the mapping is held against too
 * @throws PurserError usage, where a file cannot be read; validation, where the document is none
 */
export async function readMappingFile(context: Context, file: string, against?: string): Promise<ReadFile> {
	const { value, lineOf } = await context.files.documents.readWithLines(file);
	const { mapping, faults: shape } = readMapping(value);
	const own: MappingFault[] = [...shape, ...(mapping === undefined || shape.length > 0 ? [] : mappingFaults(mapping))];
	const isHeld = mapping !== undefined && shape.length === 0 && against !== undefined;
	const faults = isHeld ? [...own, ...checkAgainst(mapping, readOpenApi(await context.files.documents.readDescription(against)))] : own;
	const withLine = ({ path, message }: MappingFault): LineFault => {
		const [of = "", ...rest] = path[0] === "operations" ? path.slice(1) : path;
		return { line: lineOf(path) ?? null, of, at: rest.join(" "), message };
	};
	return { mapping, faults: faults.map(withLine).sort((one, other) => (one.line ?? 0) - (other.line ?? 0)) };
}

/** A mapping without faults. @throws PurserError validation, with everything that is wrong */
export async function usableMapping(context: Context, file: string): Promise<Mapping> {
	const { mapping, faults } = await readMappingFile(context, file);
	if (mapping !== undefined && faults.length === 0) return mapping;
	throw new PurserError("validation", {
		code: "MAPPING_INVALID",
		message: `${file === "-" ? "Standard input" : file} is not a mapping that can be used; nothing was stored`,
		fix: advice`Correct what is listed, and check it again: ${purser`api check ${{ path: file }}`}`,
		details: faults.map(
			({ line, of, at, message }): Fault => ({ field: `${line === null ? "" : `line ${line}, `}${of} ${at}`.trim(), message }),
		),
	});
}

/**
 * A doubt keeps nobody from it: a mistaken list must be correctable.
 * @throws PurserError guard, where a payment is being sent by another mapping
 */
export async function requireNothingUnderWay(context: Context, profile: Profile, after: Profile): Promise<void> {
	if (mappingDigest(profile) === mappingDigest(after)) return;
	if (!(await context.journal.exists(profile))) return;
	const batch = (await (await context.journal.batches(profile)).list()).find(({ sending }) => sending)?.batch;
	const [single] = await (await context.journal.of(profile)).list({ states: ["sending"], effect: "money", limit: 1 });
	if (batch === undefined && single === undefined) return;
	throw new PurserError("guard", {
		code: "PAYMENT_UNDER_WAY",
		message: `${batch === undefined ? `Payment ${single?.intent}` : `Batch ${batch}`} is being sent by the mapping that the profile ${profile.name} has; nothing was stored`,
		fix: advice`Run this again when it has ended: ${batch === undefined ? purser`history show ${single?.intent as string}` : purser`pay batch status ${batch}`}`,
	});
}
