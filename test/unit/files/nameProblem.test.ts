import assert from 'node:assert/strict';
import { nameProblem, type NameProblem } from '../../../src/files/nameProblem.js';

type Verdict = NameProblem | 'fine';

/** Verdicts of Linux, macOS and Windows on a name of a file or folder. */
const table: readonly (readonly [string, Verdict, Verdict, Verdict])[] = [
	['a.png', 'fine', 'fine', 'fine'],
	['...a', 'fine', 'fine', 'fine'],
	['', 'notAName', 'notAName', 'notAName'],
	['.', 'notAName', 'notAName', 'notAName'],
	['..', 'notAName', 'notAName', 'notAName'],
	['a/b.png', 'notAName', 'notAName', 'notAName'],
	['..\\..\\..\\Startup\\evil.png', 'fine', 'fine', 'notAName'],
	['c:evil.png', 'fine', 'fine', 'notAName'],
	['what?.png', 'fine', 'fine', 'notAName'],
	['a*.png', 'fine', 'fine', 'notAName'],
	['"a".png', 'fine', 'fine', 'notAName'],
	['<a>|.png', 'fine', 'fine', 'notAName'],
	['CON.png', 'fine', 'fine', 'notAName'],
	['aux .png', 'fine', 'fine', 'notAName'],
	['prn.tar.png', 'fine', 'fine', 'notAName'],
	['nul.', 'fine', 'fine', 'notAName'],
	['com1.png', 'fine', 'fine', 'notAName'],
	['lpt³.png', 'fine', 'fine', 'notAName'],
	['CONIN$', 'fine', 'fine', 'notAName'],
	['conout$.png', 'fine', 'fine', 'notAName'],
	['console.png', 'fine', 'fine', 'fine'],
	['com10.png', 'fine', 'fine', 'fine'],
	['my-aux.png', 'fine', 'fine', 'fine'],
	['images.', 'fine', 'fine', 'notAName'],
	['images ', 'fine', 'fine', 'notAName'],
	['a\0.png', 'notAName', 'notAName', 'notAName'],
	['a\n.png', 'notAName', 'notAName', 'notAName'],
	['a\x7f.png', 'notAName', 'notAName', 'notAName'],
	['x'.repeat(255), 'fine', 'fine', 'fine'],
	['x'.repeat(256), 'tooLong', 'tooLong', 'tooLong'],
	['ä'.repeat(128), 'tooLong', 'tooLong', 'fine'],
	['😀'.repeat(127), 'tooLong', 'tooLong', 'fine'],
	['😀'.repeat(128), 'tooLong', 'tooLong', 'tooLong'],
];

suite('files › nameProblem', () => {
	test('each system has its own names that no file can have', () => {
		for (const [name, linux, darwin, win32] of table) {
			assert.deepEqual(
				(['linux', 'darwin', 'win32'] as const).map(
					(system) => nameProblem(name, system) ?? 'fine',
				),
				[linux, darwin, win32],
				JSON.stringify(name.slice(0, 40)),
			);
		}
	});
});
