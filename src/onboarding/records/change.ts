import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";

/**
 * Refuses an update without a field.
 * @throws PurserError usage
 */
export function requireChange(body: Record<string, unknown>, command: string): void {
	if (Object.values(body).some((value) => value !== undefined)) return;
	throw new PurserError("usage", {
		code: "NOTHING_TO_CHANGE",
		message: "No field to change was given; nothing was sent",
		fix: advice`Give at least one, or a file with --file FILE; see \`${purser`${command.split(" ")} --help`}\`.`,
	});
}
