export type McpClient = 'claude' | 'codex' | 'json';

/**
 * Returns the text that the user pastes: a command line of the client, or JSON for most others. The
 * server finds its window by the folder that it is started in, so it is set up once for the user.
 *
 * @param program the editor's own, where the user has no Node
 */
export function configurationFor(
	client: McpClient,
	launcher: string,
	program: string | undefined,
	system: NodeJS.Platform,
): string {
	const command = program ?? 'node';
	const env = program === undefined ? undefined : { ELECTRON_RUN_AS_NODE: '1' };
	if (client === 'json') {
		const easel = { command, args: [launcher], ...(env && { env }) };
		return JSON.stringify({ mcpServers: { easel } }, undefined, 2);
	}
	const options = {
		claude: 'claude mcp add --scope user easel',
		codex: 'codex mcp add easel',
	}[client];
	const variables = Object.entries(env ?? {}).map(([name, value]) => ` --env ${name}=${value}`);
	const words = [command, launcher].map((word) => quoted(word, system));
	return `${options}${variables.join('')} -- ${words.join(' ')}`;
}

/** Returns a word of a command line, for the shells that the system brings along. */
function quoted(word: string, system: NodeJS.Platform): string {
	if (/^[\w@%+=:,./\\-]+$/.test(word) && (system === 'win32' || !word.includes('\\'))) {
		return word;
	}
	return system === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
