import * as z from "zod/mini";
import { field } from "../../api/schema.js";

/** The word of a script that somebody has looked at the binding of this digest; of `api confirm`, and of every command that sends money. */
export const confirmBindingField = () =>
	z.optional(
		field(
			z.array(
				field(z.string().check(z.regex(/^[0-9a-f]{64}$/, "must be the 64 characters that `purser api confirm` shows")), {
					description: "digest",
					placeholder: "digest",
				}),
			),
			{ description: "Confirm the binding with this digest, as `purser api confirm` shows it", flagOnly: true },
		),
	);
