/**
 * Records found by a key that never changes, without looking at each. Lists only grow at their end or are replaced whole,
 * so what was added since the last look is all there is to learn.
 */

interface Index<T> {
	/** How many records of the list are in it. */
	seen: number;
	groups: Map<string, T[]>;
}

const indexes = new Map<string, WeakMap<readonly object[], Index<object>>>();

/**
 * The records of a list whose `key` is `value`, in the list's order.
 * @param key a member that is never changed after the record was added
 */
export function having<T extends object, K extends keyof T & string>(list: readonly T[], key: K, value: string): readonly T[] {
	let ofKey = indexes.get(key);
	if (!ofKey) {
		ofKey = new WeakMap();
		indexes.set(key, ofKey);
	}
	let index = ofKey.get(list) as Index<T> | undefined;
	if (!index || index.seen > list.length) {
		index = { seen: 0, groups: new Map() };
		ofKey.set(list, index as Index<object>);
	}
	for (; index.seen < list.length; index.seen += 1) {
		const record = list[index.seen] as T;
		const group = index.groups.get(record[key] as string);
		if (group) group.push(record);
		else index.groups.set(record[key] as string, [record]);
	}
	return index.groups.get(value) ?? [];
}
