/**
 * Colours. Only this file knows chalk, which is loaded where there is something to colour.
 */
type Brush = (text: string) => string;

export type Paint = Readonly<Record<"bold" | "dim" | "green" | "red" | "yellow" | "cyan", Brush>>;

const bare: Brush = (text) => text;
/** No colour at all. */
export const noPaint: Paint = { bold: bare, dim: bare, green: bare, red: bare, yellow: bare, cyan: bare };

/** @param colours 0 none, 1 16, 2 256, 3 16 million */
export async function paintOf(colours: 0 | 1 | 2 | 3): Promise<Paint> {
	if (colours === 0) return noPaint;
	const { Chalk } = await import("chalk");
	return new Chalk({ level: colours });
}
