/**
 * Where the rows of a PDF stand. Chromium tags what it prints: the file names every row of a table and of a list, and the page of each of its
 * parts, in plain objects.
 */

export interface PrintedRows {
	pages: number;
	/** Rows of tables and of lists, without the heads of tables, which are repeated. */
	rows: number;
	/** Those that stand on more than one page. */
	cut: number;
}

/** @throws Error where the file is not tagged as Chromium does */
export function printedRows(pdf: Uint8Array): PrintedRows {
	const text = Buffer.from(pdf).toString("latin1");
	const objects = new Map<string, string>();
	for (const [, id = "", content = ""] of text.matchAll(/(?:^|\n)(\d+) 0 obj\n(<<\/Type \/StructElem\n[\s\S]*?)\nendobj/g))
		objects.set(id, content);
	if (objects.size === 0) throw new Error("this PDF names no rows");
	const roleOf = (id: string): string | undefined => /\n\/S \/(\w+)/.exec(objects.get(id) ?? "")?.[1];
	const childrenOf = (id: string): string[] => {
		const kids = /\n\/K (\[[\s\S]*?\](?=\n|>>$)|\d+ 0 R)/.exec(objects.get(id) ?? "")?.[1] ?? "";
		return [...kids.matchAll(/(\d+) 0 R/g)].map(([, kid = ""]) => kid).filter((kid) => objects.has(kid));
	};
	const pagesOf = (id: string): string[] => [
		...[...(objects.get(id) ?? "").matchAll(/\/Pg (\d+) 0 R/g)].map(([, page = ""]) => page),
		...childrenOf(id).flatMap(pagesOf),
	];
	const rows = [...objects.keys()].filter((id) => {
		const role = roleOf(id);
		return role === "LI" || (role === "TR" && childrenOf(id).some((kid) => roleOf(kid) !== "TH"));
	});
	return {
		pages: [...text.matchAll(/\/Type \/Page\n/g)].length,
		rows: rows.length,
		cut: rows.filter((id) => new Set(pagesOf(id)).size > 1).length,
	};
}
