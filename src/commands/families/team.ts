/**
 * What the commands about a team share: its address, and the password that is asked for where the database wants one.
 */
import { plain } from "../../api/fields.js";
import { secretFromPerson } from "../../config/secrets/typed-secret.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";

export const addressField = () =>
	plain("Address of the team's database: postgresql://LOGIN@HOST/DATABASE; ?schema=NAME where it is not purser", {
		positional: true,
		placeholder: "url",
	});

/**
 * Tries without a password of this run first (PGPASSFILE, or the one that is kept), and asks a person for it where the login is refused.
 * @throws PurserError auth, where nobody can be asked, or it is refused again
 */
export async function withPassword<T>(context: Context, act: (password?: string) => Promise<T>): Promise<T> {
	try {
		return await act();
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind !== "auth" || !context.settings.flags.interactive) throw error;
		return act(await secretFromPerson(context, "Password of the database"));
	}
}
