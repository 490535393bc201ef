import assert from 'node:assert/strict';
import { mcpClients, serverStart } from '../../../../src/features/agents/configurations.js';

suite('features › agents › configurations', () => {
	const launcher = '/home/ann/easel/server.cjs';
	const editor = '/usr/share/code/code';
	const node = '/usr/bin/node';
	const env = { ELECTRON_RUN_AS_NODE: '1' };
	const args = [launcher];

	function write(
		name: string | undefined,
		start: Parameters<typeof serverStart>,
		isWindows = false,
	) {
		const client = mcpClients.find((one) => one.name === name);
		assert.ok(client);
		return client.write(serverStart(...start), isWindows ? 'win32' : 'linux');
	}

	/** Texts with the user's Node, and with the editor's program. */
	const commands: Record<string, readonly [string, string]> = {
		'Claude Code': [
			`claude mcp add --scope user easel -- ${node} ${launcher}`,
			`claude mcp add --env ELECTRON_RUN_AS_NODE=1 --scope user easel -- ${editor} ${launcher}`,
		],
		Codex: [
			`codex mcp add easel -- ${node} ${launcher}`,
			`codex mcp add easel --env ELECTRON_RUN_AS_NODE=1 -- ${editor} ${launcher}`,
		],
		'Gemini CLI': [
			`gemini mcp add --scope user easel ${node} ${launcher}`,
			`gemini mcp add --scope user --env ELECTRON_RUN_AS_NODE=1 easel ${editor} ${launcher}`,
		],
	};
	const objects: Record<string, readonly [object, object]> = {
		opencode: [
			{ mcp: { easel: { type: 'local', command: [node, launcher], enabled: true } } },
			{
				mcp: {
					easel: {
						...{ type: 'local', command: [editor, launcher], enabled: true, environment: env },
					},
				},
			},
		],
		'GitHub Copilot CLI': [
			{ mcpServers: { easel: { type: 'local', command: node, args, tools: ['*'] } } },
			{ mcpServers: { easel: { type: 'local', command: editor, args, env, tools: ['*'] } } },
		],
		Cursor: [
			{ mcpServers: { easel: { type: 'stdio', command: node, args } } },
			{ mcpServers: { easel: { type: 'stdio', command: editor, args, env } } },
		],
		Zed: [
			{ context_servers: { easel: { source: 'custom', command: node, args } } },
			{ context_servers: { easel: { source: 'custom', command: editor, args, env } } },
		],
		Windsurf: [
			{ mcpServers: { easel: { command: node, args } } },
			{ mcpServers: { easel: { command: editor, args, env } } },
		],
	};
	for (const { name, file } of mcpClients) {
		test(`are what ${name ?? 'other programs'} reads`, () => {
			const texts = [node, undefined].map((own) => write(name, [launcher, own, editor]));
			const expected = commands[name ?? ''];
			assert.equal(file === undefined, name === undefined || expected !== undefined);
			assert.deepEqual(
				expected === undefined ? texts.map((text) => JSON.parse(text) as object) : texts,
				expected ?? objects[name ?? 'Windsurf'],
			);
		});
	}

	for (const [what, isWindows, path, word] of [
		[
			'a home with blanks, quotes and a dollar',
			false,
			"/a b/o'neill/$HOME",
			`'/a b/o'\\''neill/$HOME'`,
		],
		['a backslash in POSIX', false, '/a\\b', `'/a\\b'`],
		['a plain Windows path', true, 'C:\\ann\\server.cjs', 'C:\\ann\\server.cjs'],
		['blanks, brackets and umlauts in Windows', true, 'C:\\Jörg (B)\\a', '"C:\\Jörg (B)\\a"'],
		['a comma, which PowerShell takes for a list', true, 'C:\\a,b', '"C:\\a,b"'],
	] as const) {
		test(`have ${what} as one word`, () => {
			const text = write('Gemini CLI', [path, node, editor], isWindows);
			assert.equal(text, `gemini mcp add --scope user easel ${node} ${word}`);
		});
	}

	test('quote the two dashes that PowerShell keeps to itself', () => {
		assert.equal(
			write('Codex', ['C:\\ann\\server.cjs', undefined, 'C:\\VS Code\\Code.exe'], true),
			'codex mcp add easel --env ELECTRON_RUN_AS_NODE=1 "--" "C:\\VS Code\\Code.exe" C:\\ann\\server.cjs',
		);
	});
});
