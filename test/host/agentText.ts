/** Returns the result that an agent reads, with its foreign texts beside the others. */
export function parseAgentText(text: string): unknown {
	const { untrusted, ...own } = JSON.parse(text) as Readonly<Record<string, object>>;
	return { ...own, ...untrusted };
}
