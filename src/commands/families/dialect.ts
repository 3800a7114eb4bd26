/**
 * The deployment whose words a local sandbox speaks.
 */
import { advice, purser } from "../../api/advice.js";
import type { Bindings } from "../../binding/file.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { readDialect } from "../../sandbox/dialect/file.js";

/** @throws PurserError validation, with everything that is wrong with the file */
export async function dialectIn(context: Context, path: string): Promise<Bindings> {
	const { bindings, faults } = readDialect(await context.documents.read(path));
	if (faults.length === 0) return bindings;
	throw new PurserError("validation", {
		code: "BINDING_INVALID",
		message: `${path === "-" ? "Standard input" : path} is not a file of bindings that the sandbox can speak`,
		fix: advice`Correct what is listed. A file of the right form comes from: ${purser`api export`}`,
		details: [...faults],
	});
}
