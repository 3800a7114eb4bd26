/**
 * The files of a world, in memory.
 */

import type { Files } from "../../src/ports/machine.js";
import { tooLarge } from "../../src/system/disk/bounded.js";
import type { World } from "./world.js";

export function filesOf({ files, links }: World): Files {
	const read: Files["read"] = async (path, limit) => {
		const content = files.get(path);
		if (!content) throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: "ENOENT" });
		if (content.length > limit) throw tooLarge(limit, content.length);
		return content;
	};
	return {
		read,
		stream: async function* (path) {
			yield await read(path, Number.POSITIVE_INFINITY);
		},
		writer: async (path) => {
			let text = "";
			return {
				write: async (part) => {
					text += part;
				},
				finish: async () => void files.set(path, new TextEncoder().encode(text)),
				discard: async () => {},
			};
		},
		write: async (path, content) => {
			files.set(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
		},
		folder: async () => {},
		list: async (folder) =>
			[...files.keys()].flatMap((path) => {
				const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : "";
				return name === "" || name.includes("/") ? [] : [name];
			}),
		remove: async (path) => void files.delete(path),
		isLink: async (path) => links.has(path),
		isSpecial: async () => false,
		temporary: async () => ({ path: "/tmp/purser-test", remove: async () => {} }),
	};
}
