import { type Advice, PurserError } from "../errors.js";

/** One thing that was checked on this machine, or at the service. */
export interface Check {
	check: string;
	state: "ok" | "warning" | "fault";
	/** What was found, in a sentence. */
	found: string;
	/** How to mend it, with the command to type. */
	mend?: Advice;
}

export const ok = (check: string, found: string): Check => ({ check, state: "ok", found });
export const warning = (check: string, found: string, mend: Advice): Check => ({ check, state: "warning", found, mend: onOneLine(mend) });
export const fault = (check: string, found: string, mend: Advice): Check => ({ check, state: "fault", found, mend: onOneLine(mend) });

/** Within an answer's data, a line break would be shown as a control character. */
function onOneLine(advice: Advice): Advice {
	if (typeof advice === "string") return advice.replaceAll("\n", ". ");
	return "words" in advice ? advice : advice.map(onOneLine);
}

/** The check's result; what it throws is a fault of what it looked at. @throws PurserError interrupted; what is a bug */
export async function checked(check: string, look: () => Promise<Check>): Promise<Check> {
	try {
		return await look();
	} catch (error) {
		if (error instanceof PurserError && error.kind !== "interrupted") return faultOf(check, error);
		const code = (error as { code?: unknown }).code;
		if (error instanceof PurserError || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) throw error;
		return fault(check, `It could not be checked: ${(error as Error).message}`, "Give yourself access to it, then run this again.");
	}
}

/** What an error says, as a check. */
export const faultOf = (check: string, { failure }: PurserError): Check =>
	fault(
		check,
		failure.why === undefined || typeof failure.why !== "string" ? failure.message : `${failure.message}: ${failure.why}`,
		failure.fix,
	);
