/** The command that starts the server. */
export interface ServerStart {
	/** Absolute: a program that no shell has started does not have its PATH. */
	readonly command: string;
	readonly args: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
}

/** A program that can be set up to use the server. */
export interface McpClient {
	/** Its own name; missing for all others, whose file is not known either. */
	readonly name?: string;
	/** The file that the text is added to; where it is missing, the text is a command line. */
	readonly file?: string;
	/** Returns the text that the user pastes. */
	readonly write: (start: ServerStart, system: NodeJS.Platform) => string;
}

/**
 * The programs, as each one's own documentation has it. The server finds its window by the folder that
 * it is started in, so it is set up once for the user.
 */
export const mcpClients: readonly McpClient[] = [
	{
		name: 'Claude Code',
		// https://code.claude.com/docs/en/mcp: options before the name, and one between it and --env.
		write: (start, system) =>
			commandLine(
				'claude mcp add',
				[...variables(start), '--scope', 'user', 'easel'],
				start,
				system,
			),
	},
	{
		name: 'Codex',
		// https://developers.openai.com/codex/mcp
		write: (start, system) =>
			commandLine('codex mcp add', ['easel', ...variables(start)], start, system),
	},
	{
		name: 'Gemini CLI',
		// https://geminicli.com/docs/tools/mcp-server/: the command is an argument of its own, without --.
		write: ({ command, args, ...start }, system) =>
			words(
				'gemini mcp add',
				['--scope', 'user', ...variables(start), 'easel', command, ...args],
				system,
			),
	},
	{
		name: 'opencode',
		file: '~/.config/opencode/opencode.json',
		// https://opencode.ai/docs/config/ and https://opencode.ai/docs/migrate-v1/: version 2 takes it, too.
		write: ({ command, args, env }) =>
			json('mcp', {
				...{ type: 'local', command: [command, ...args], enabled: true },
				...(env && { environment: env }),
			}),
	},
	{
		name: 'GitHub Copilot CLI',
		file: '~/.copilot/mcp-config.json',
		// https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers
		write: (start) => json('mcpServers', { type: 'local', ...start, tools: ['*'] }),
	},
	{
		name: 'Cursor',
		file: '~/.cursor/mcp.json',
		// https://cursor.com/docs/mcp
		write: (start) => json('mcpServers', { type: 'stdio', ...start }),
	},
	{
		name: 'Zed',
		file: 'settings.json (zed: open settings file)',
		// https://zed.dev/docs/ai/mcp
		write: (start) => json('context_servers', { source: 'custom', ...start }),
	},
	{
		name: 'Windsurf',
		file: '~/.codeium/windsurf/mcp_config.json',
		// https://docs.windsurf.com/windsurf/cascade/mcp
		write: (start) => json('mcpServers', start),
	},
	{ write: (start) => json('mcpServers', start) },
];

/** @param node absolute path of the user's own Node; without it, the editor's program runs the server */
export function serverStart(
	launcher: string,
	node: string | undefined,
	editor: string,
): ServerStart {
	return node === undefined
		? { command: editor, args: [launcher], env: { ELECTRON_RUN_AS_NODE: '1' } }
		: { command: node, args: [launcher] };
}

function json(key: string, easel: object): string {
	return JSON.stringify({ [key]: { easel } }, undefined, 2);
}

function variables({ env = {} }: Pick<ServerStart, 'env'>): string[] {
	return Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}

/** Returns a command that has the start of the server behind `--`. */
function commandLine(
	command: string,
	options: readonly string[],
	start: ServerStart,
	system: NodeJS.Platform,
): string {
	return words(command, [...options, '--', start.command, ...start.args], system);
}

function words(command: string, args: readonly string[], system: NodeJS.Platform): string {
	return [command, ...args.map((word) => quoted(word, system))].join(' ');
}

/** Returns a word of a command line, for the shells that the system brings along. */
function quoted(word: string, system: NodeJS.Platform): string {
	if (system === 'win32') {
		// PowerShell keeps a bare -- to itself where npm has installed the program as a script.
		return /^(?!--$)[\w=:.\\/-]+$/.test(word) ? word : `"${word}"`;
	}
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
