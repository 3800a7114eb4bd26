/**
 * What a wizard sends, for the question before it.
 */
import type { Context } from "../../context.js";
import type { About } from "../../ports/changes.js";
import type { Service } from "../../ports/service.js";
import { inspectCase } from "../case/apply.js";
import { type Case, companyName } from "../case/case.js";
import type { LookupOptions } from "../case/find.js";
import { newFinder } from "../case/find.js";
import { nameOf } from "../case/match.js";
import { acceptedTerms, acceptsTerms } from "../case/plan.js";

/** What is created: the follow-ups are asked about one by one later. */
export function aboutCase({ corporate, accountOwner, persons, companies }: Case, file?: string): About {
	const names = [...persons.map(nameOf), ...companies.map(({ corporateName }) => corporateName)];
	return {
		title: `Onboard ${companyName({ corporate })}`,
		rows: [
			["Company", companyName({ corporate })],
			["Account owner", [nameOf(accountOwner), accountOwner.emailAddress].join(" · ")],
			["Owners and directors", names.length === 0 ? undefined : names.join(", ")],
			["Case file", file],
		],
	};
}

/** The same of a case that was begun before: its terms may be accepted already. */
export async function aboutOpenCase(context: Context, service: Service, of: Case, options: LookupOptions, file: string): Promise<About> {
	// Applying warns of the same again.
	const quiet = { ...context, reporter: { ...context.reporter, warn: () => {} } };
	const { steps } = await inspectCase(quiet, service, newFinder(quiet, service, options, false), of);
	return { ...aboutCase(of, file), terms: acceptsTerms(steps) ? acceptedTerms(of) : [] };
}
