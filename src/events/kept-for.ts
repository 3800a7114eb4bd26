/** Days that headers and bodies of deliveries are kept where `events-keep` does not say. */
const daysKept = "7";

const day = 86_400_000;

/** Milliseconds that headers and bodies are kept by these settings of a profile; 0 keeps none. */
export function keptFor(settings: Readonly<Record<string, string>>): number {
	const kept = settings["events-keep"] ?? daysKept;
	return kept === "off" ? 0 : Number(kept) * day;
}
