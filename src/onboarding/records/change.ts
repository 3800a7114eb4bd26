import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";

/**
 * An update that changes nothing is a mistake: nothing is sent.
 * @throws PurserError usage
 */
export function requireChange(body: Record<string, unknown>, command: string): void {
	if (Object.values(body).some((value) => value !== undefined)) return;
	throw new PurserError("usage", {
		code: "NOTHING_TO_CHANGE",
		message: "No field to change was given; nothing was sent",
		fix: advice`Give at least one, or a file with --from FILE; see \`${purser`${command.split(" ")} --help`}\`.`,
	});
}
