/**
 * An index of records by a key that never changes. Lists only grow at their end or are replaced whole, so an index is brought up to date by
 * reading what was added since.
 */

interface Index<T> {
	/** How many records of the list are in it. */
	read: number;
	groups: Map<string, T[]>;
}

const indexes = new Map<string, WeakMap<readonly object[], Index<object>>>();

/**
 * The records of a list whose `key` is `value`, in the list's order.
 * @param key a member that is never changed after the record was added
 */
export function recordsWith<T extends object, K extends keyof T & string>(list: readonly T[], key: K, value: string): readonly T[] {
	let ofKey = indexes.get(key);
	if (!ofKey) {
		ofKey = new WeakMap();
		indexes.set(key, ofKey);
	}
	let index = ofKey.get(list) as Index<T> | undefined;
	if (!index || index.read > list.length) {
		index = { read: 0, groups: new Map() };
		ofKey.set(list, index as Index<object>);
	}
	for (; index.read < list.length; index.read += 1) {
		const record = list[index.read] as T;
		const group = index.groups.get(record[key] as string);
		if (group) group.push(record);
		else index.groups.set(record[key] as string, [record]);
	}
	return index.groups.get(value) ?? [];
}
