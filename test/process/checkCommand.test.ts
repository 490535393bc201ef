import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ruleIds, severities } from '../../src/documents/check/rules.js';
import { parseCheckSettings } from '../../src/documents/check/settings.js';
import { writeTree } from '../unit/documents/missing/tree.js';
import { png, tEXt } from '../unit/recipes/pngs.js';

// mocha reads its own settings with it.
const { load } = createRequire(__filename)('js-yaml') as {
	readonly load: (text: string) => unknown;
};

const root = path.resolve(__dirname, '../..');
const guide = readFileSync(path.join(root, 'docs/check.md'), 'utf8');

/** Returns the example of the guide that follows a line with a text. */
function example(behind: string): string {
	const found = /```\w+\n([^]*?)```/.exec(guide.slice(guide.indexOf(behind)));
	return found?.[1] ?? assert.fail(behind);
}

suite('easel check', () => {
	let folder: string;

	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-check-')));
		git('init', '--quiet', '--initial-branch=main');
		mkdirSync(path.join(folder, '.easel'));
		// The bundle needs nothing beside it.
		copyFileSync(path.join(root, 'dist/check.js'), path.join(folder, '.easel/check.js'));
		await writeTree(folder, {
			'.gitignore': 'build/\n.easel/\n',
			'a.md': '# A\n\n![](den.png)\n![A fox](<gone, 100%.png>)\n',
			'b.rst': '.. image:: den.png\n   :alt: A den\n',
			'build/c.md': '![](den.png)',
			'den.png': '',
		});
		git('add', '--all');
		commit('Begin');
	});

	teardown(() => rm(folder, { recursive: true, maxRetries: 10, force: true }));

	function git(...args: string[]): void {
		const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
		execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' });
	}

	const commit = (message: string) => git('commit', '--quiet', '--no-verify', '-m', message);

	function run(...args: string[]) {
		return script('node', ['.easel/check.js', ...args]);
	}

	function script(program: string, args: readonly string[]) {
		const env = { PATH: process.env['PATH'] };
		const { status, stdout, stderr } = spawnSync(program, args, {
			cwd: folder,
			encoding: 'utf8',
			env,
		});
		return { status, stdout, stderr };
	}

	const rulesIn = (stdout: string) =>
		stdout.match(new RegExp(`(?<!“)\\b(?:${ruleIds.join('|')})$`, 'gm'))?.join(' ') ?? '';

	test('exits with 0, 1 or 2, and says what it has found', () => {
		const all = run();
		assert.equal(all.status, 1, all.stderr);
		assert.match(
			all.stdout,
			/^a\.md\n {2}3:1 .*alt-missing\n {2}4:10 .*image-missing\n\n2 findings in 2 documents\.\n$/,
		);
		assert.equal(run('b.rst').status, 0);
		assert.equal(run('--warn').status, 0);
		assert.equal(rulesIn(run('--rules', 'alt-missing').stdout), 'alt-missing');
		for (const wrong of [
			['--rules', 'x'],
			['--format', 'x'],
			['gone.md'],
			['--x'],
			['--changed-since', 'gone'],
		]) {
			const answer = run(...wrong);
			assert.deepEqual([answer.status, answer.stdout], [2, ''], wrong.join(' '));
			assert.match(answer.stderr, /^easel check: \S/);
		}
	});

	test('finds lost recipes where they are asked for, and leaves the words in pictures to the editor', () => {
		const made = png(tEXt('Software', 'Easel 1.2.3'));
		writeFileSync(path.join(folder, 'den.png'), made);
		assert.doesNotMatch(run().stdout, /recipe/);
		assert.equal(rulesIn(run('--rules', 'recipe').stdout), 'recipe');
		const words = run('--rules', 'words');
		assert.deepEqual([words.status, words.stdout], [2, '']);
		assert.match(words.stderr, /“words” needs a language model: Check Images… in VS Code/);
		const settings = { rules: { words: 'error', recipe: 'error' } };
		writeFileSync(path.join(folder, '.easel/check.json'), JSON.stringify(settings));
		const { stdout } = run('b.rst');
		assert.equal(rulesIn(stdout), 'recipe');
		assert.match(stdout, /“words” needs a language model/);
	});

	test('leaves what was there at first to the baseline, wherever it moves', () => {
		assert.equal(run('--update-baseline').status, 0);
		assert.equal(run().status, 0);
		writeFileSync(path.join(folder, 'a.md'), '# A\n\nMoved.\n\n![](den.png)\n');
		const moved = run();
		assert.equal(moved.status, 0);
		assert.match(moved.stdout, /1 of the baseline are mended/);
		writeFileSync(path.join(folder, 'a.md'), '![](den.png)\n\n![](den.png)\n');
		assert.equal(rulesIn(run().stdout), 'alt-missing alt-missing');
	});

	test('writes no baseline through a link', () => {
		symlinkSync(path.join(folder, 'b.rst'), path.join(folder, '.easel/check-baseline.json'));
		assert.equal(run('--update-baseline').status, 2);
		assert.match(readFileSync(path.join(folder, 'b.rst'), 'utf8'), /^\.\. image/);
	});

	test('checks what was changed since a commit, also where the image was removed', () => {
		assert.equal(run('--changed-since', 'HEAD').status, 0);
		writeFileSync(path.join(folder, 'd.md'), '![](den.png)');
		assert.match(run('--changed-since', 'HEAD').stdout, /^d\.md/);
		git('add', '--all');
		commit('Add');
		git('rm', '--quiet', 'den.png');
		assert.match(
			run('--changed-since', 'HEAD', '--rules', 'image-missing').stdout,
			/a\.md[^]*b\.rst[^]*d\.md/,
		);
	});

	test('reads settings as their schema has them', () => {
		const schema = JSON.parse(readFileSync(path.join(root, 'media/check.schema.json'), 'utf8')) as {
			properties: Record<
				string,
				{ properties?: Record<string, { enum: string[]; default: string }> }
			>;
		};
		const { rules, ...values } = schema.properties;
		assert.deepEqual(Object.keys(rules?.properties ?? {}), ruleIds);
		assert.deepEqual(rules?.properties?.['alt-missing']?.enum, severities);
		const settings = parseCheckSettings('{}', assert.fail);
		for (const [rule, { default: severity }] of Object.entries(rules?.properties ?? {})) {
			assert.equal(settings.rules[rule as (typeof ruleIds)[number]], severity, rule);
		}
		assert.deepEqual(
			Object.keys(values).sort(),
			['$schema', ...Object.keys(settings)].filter((one) => one !== 'rules').sort(),
		);
		parseCheckSettings(example('completes them'), assert.fail);
		for (const wrong of ['{', '[]', '{"x":1}', '{"rules":{"x":"off"}}', '{"maxWidth":"3"}']) {
			writeFileSync(path.join(folder, '.easel/check.json'), wrong);
			assert.equal(run().status, 2, wrong);
		}
	});

	test('writes SARIF with a place for each finding', () => {
		const { version, runs } = JSON.parse(run('--format', 'sarif').stdout) as {
			version: string;
			runs: { results: { ruleId: string; locations: unknown }[] }[];
		};
		assert.equal(version, '2.1.0');
		assert.deepEqual(runs[0]?.results[1]?.locations, [
			{
				physicalLocation: {
					artifactLocation: { uri: 'a.md' },
					region: { startLine: 4, startColumn: 10, endLine: 4, endColumn: 26 },
				},
			},
		]);
	});

	test('works as the guide has it for GitHub, GitLab and a hook', () => {
		const workflow = load(example('### GitHub')) as {
			jobs: { images: { steps: { run?: string }[] } };
		};
		const gitlab = load(example('### GitLab')) as { images: { script: string[] } };
		const lines = [
			...workflow.jobs.images.steps.flatMap(({ run }) => run ?? []),
			...gitlab.images.script,
		];
		assert.equal(lines.length, 2);
		for (const line of lines) {
			assert.equal(script('sh', ['-e', '-c', line]).status, 1, line);
		}
		assert.match(
			script('sh', ['-c', lines[0]!]).stdout,
			/^::error file=a\.md,line=3,endLine=3,col=1,endColumn=13,title=alt-missing::This.*\n::error .*::gone, 100%25\.png does not exist\.\n2 findings/,
		);
		const hook = path.join(folder, '.git/hooks/pre-commit');
		writeFileSync(hook, example('### Before each commit'));
		chmodSync(hook, 0o755);
		writeFileSync(path.join(folder, 'e.md'), '![A den](den.png)');
		git('add', 'e.md');
		git('commit', '--quiet', '-m', 'Add what is right');
		writeFileSync(path.join(folder, 'e.md'), '![](den.png)');
		assert.throws(
			() => git('commit', '--quiet', '--all', '-m', 'Add what is wrong'),
			/alt-missing/,
		);
	});
});
