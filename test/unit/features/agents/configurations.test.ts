import assert from 'node:assert/strict';
import { configurationFor } from '../../../../src/features/agents/configurations.js';

suite('features › agents › configurations', () => {
	const launcher = "/home/ann o'neill/easel/agents/server.cjs";
	const editor = '/usr/share/code/code';

	test('are one line for a terminal, with Node where the user has it', () => {
		assert.equal(
			configurationFor('claude', '/home/ann/server.cjs', undefined, 'linux'),
			'claude mcp add --scope user easel -- node /home/ann/server.cjs',
		);
		assert.equal(
			configurationFor('codex', 'C:\\Users\\ann\\server.cjs', undefined, 'win32'),
			'codex mcp add easel -- node C:\\Users\\ann\\server.cjs',
		);
		assert.equal(
			configurationFor('codex', 'C:\\Ann B\\server.cjs', 'C:\\Code\\Code.exe', 'win32'),
			'codex mcp add easel --env ELECTRON_RUN_AS_NODE=1 -- C:\\Code\\Code.exe "C:\\Ann B\\server.cjs"',
		);
	});

	test('have the path as one word, whatever is in it', () => {
		const line = configurationFor('claude', `${launcher} $HOME`, editor, 'linux');
		assert.equal(
			line,
			`claude mcp add --scope user easel --env ELECTRON_RUN_AS_NODE=1 -- ${editor} '/home/ann o'\\''neill/easel/agents/server.cjs $HOME'`,
		);
	});

	test('are JSON for other programs', () => {
		assert.deepEqual(JSON.parse(configurationFor('json', launcher, undefined, 'darwin')), {
			mcpServers: { easel: { command: 'node', args: [launcher] } },
		});
		assert.deepEqual(JSON.parse(configurationFor('json', launcher, editor, 'darwin')), {
			mcpServers: {
				easel: { command: editor, args: [launcher], env: { ELECTRON_RUN_AS_NODE: '1' } },
			},
		});
	});
});
