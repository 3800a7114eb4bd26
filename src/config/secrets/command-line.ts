/** The words of a command line: split at spaces, quotes keep them together. Nothing else is special; no words where a quote is left open. */
export function words(command: string): string[] {
	const found: string[] = [];
	const pattern = /\s*((?:"[^"]*"|'[^']*'|[^\s"'])+)\s*/y;
	while (pattern.lastIndex < command.length) {
		const match = pattern.exec(command);
		if (match === null) return [];
		found.push((match[1] as string).replace(/"([^"]*)"|'([^']*)'/g, (_whole, double?: string, single?: string) => double ?? single ?? ""));
	}
	return found;
}

/** What is shown of a command line: the program alone, since its arguments may hold a secret. */
export function programOf(command: string): string {
	return words(command)[0] ?? "(no program: unmatched quote)";
}
