// Runs mocha for Stryker, with tsx and our `.mocharc.json`. Stryker's own runner reaches into files
// of mocha that mocha 12 has renamed; this one uses what mocha offers. Stryker loads this file by
// itself, as plain Node does, so it imports nothing of ours.
import { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import threads from 'node:worker_threads';
import type { StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
	determineHitLimitReached,
	DryRunStatus,
	TestStatus,
	toMutantRunResult,
	type CompleteDryRunResult,
	type DryRunOptions,
	type DryRunResult,
	type MutantRunOptions,
	type MutantRunResult,
	type TestResult,
	type TestRunner,
	type TestRunnerCapabilities,
} from '@stryker-mutator/api/test-runner';
import type FastCheck from 'fast-check';
import Mocha from 'mocha';

/** What the instrumented code reads and counts, as Stryker has it. */
interface Instrumented {
	activeMutant?: string | undefined;
	currentTestId?: string | undefined;
	hitCount?: number | undefined;
	hitLimit?: number | undefined;
	mutantCoverage?: CompleteDryRunResult['mutantCoverage'];
}

/** The instrumented code of other processes and threads reads the mutant from here. */
const mutantVariable = '__STRYKER_ACTIVE_MUTANT__';

class MochaRunner implements TestRunner {
	static readonly inject = tokens(commonTokens.options);
	readonly #spec: readonly string[];
	#mocha: Tests | undefined;
	#instrumented: Instrumented = {};
	#coverPerTest = false;

	constructor(options: StrykerOptions) {
		this.#spec = (options['mocha'] as { spec: string[] }).spec;
		tellOthers();
	}

	capabilities(): TestRunnerCapabilities {
		return { reloadEnvironment: true };
	}

	async dryRun({ coverageAnalysis, disableBail }: DryRunOptions): Promise<DryRunResult> {
		this.#coverPerTest = coverageAnalysis === 'perTest';
		const result = await this.#run(disableBail, undefined);
		this.#coverPerTest = false;
		return result.status === DryRunStatus.Complete && coverageAnalysis !== 'off'
			? { ...result, mutantCoverage: this.#instrumented.mutantCoverage }
			: result;
	}

	async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
		const { activeMutant, testFilter, hitLimit } = options;
		if (options.reloadEnvironment) {
			this.#mocha = undefined;
		}
		this.#instrumented.hitLimit = hitLimit;
		this.#instrumented.hitCount = hitLimit === undefined ? undefined : 0;
		process.env[mutantVariable] = activeMutant.id;
		this.#instrumented.activeMutant =
			options.mutantActivation === 'static' ? activeMutant.id : undefined;
		return toMutantRunResult(
			await this.#run(options.disableBail, activeMutant.id, new Set(testFilter)),
		);
	}

	async #run(
		disableBail: boolean,
		mutant: string | undefined,
		onlyTests: ReadonlySet<string> = new Set(),
	): Promise<DryRunResult> {
		try {
			const mocha = (this.#mocha ??= this.#load());
			this.#instrumented.activeMutant = mutant;
			mocha.grep(onlyTests.size === 0 ? /^/ : oneOf(onlyTests));
			bail(mocha.suite, !disableBail);
			const tests = await collect(mocha);
			const { hitCount, hitLimit } = this.#instrumented;
			return (
				determineHitLimitReached(hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests }
			);
		} catch (error) {
			return { status: DryRunStatus.Error, errorMessage: String((error as Error).stack) };
		}
	}

	/** Loads the tests and what they test anew, from the sandbox, which is the working directory. */
	#load(): Tests {
		const load = createRequire(path.resolve('package.json'));
		for (const file of Object.keys(load.cache)) {
			if (isOurs(file)) {
				Reflect.deleteProperty(load.cache, file);
			}
		}
		const { require: modules, ...options } = JSON.parse(
			readFileSync('.mocharc.json', 'utf8'),
		) as Mocha.MochaOptions & { readonly require: readonly string[] };
		for (const module of modules) {
			load(module);
		}
		// The same examples for every mutant: what is noticed today is noticed tomorrow. Nobody reads
		// what fails, so no smaller example is looked for.
		(load('fast-check') as typeof FastCheck).configureGlobal({
			seed: 20_260_101,
			endOnFailure: true,
		});
		this.#instrumented = (globalThis as { __stryker__?: Instrumented }).__stryker__ ??= {};
		// A test that waits for ever is for Stryker to end, with its process.
		const mocha = new Tests({ ...options, timeout: 0, reporter: Silent });
		mocha.cleanReferencesAfterRun(false);
		for (const file of this.#spec) {
			mocha.addFile(path.resolve(file));
		}
		mocha.load();
		const nameTest = (test: Mocha.Test | undefined) => {
			this.#instrumented.currentTestId = this.#coverPerTest ? test?.fullTitle() : undefined;
		};
		mocha.suite.beforeEach(function () {
			nameTest(this.currentTest);
		});
		return mocha;
	}
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'mocha', MochaRunner)];

function isOurs(file: string): boolean {
	const way = path.relative(process.cwd(), file);
	return !way.startsWith('..') && !path.isAbsolute(way) && !/(^|[\\/])node_modules[\\/]/.test(way);
}

function oneOf(titles: ReadonlySet<string>): RegExp {
	const escaped = [...titles].map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^(?:${escaped.join('|')})$`);
}

function bail(suite: Mocha.Suite, yes: boolean): void {
	suite.bail(yes);
	for (const inner of suite.suites) {
		bail(inner, yes);
	}
}

/** Tells processes and threads of the mutant, also those that get an environment of their own. */
function tellOthers(): void {
	const processes = ChildProcess.prototype as ChildProcess & {
		spawn(options: { envPairs?: string[] }): unknown;
	};
	// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this
	const { spawn } = processes;
	processes.spawn = function (options) {
		options.envPairs?.push(`${mutantVariable}=${process.env[mutantVariable] ?? ''}`);
		return spawn.call(this, options);
	};
	threads.Worker = class extends threads.Worker {
		constructor(file: string | URL, options: threads.WorkerOptions = {}) {
			const { env = process.env } = options;
			const mutant = { [mutantVariable]: process.env[mutantVariable] };
			super(file, { ...options, env: typeof env === 'symbol' ? env : { ...env, ...mutant } });
		}
	};
}

/** Runs what is loaded and says how each test ended. */
async function collect(mocha: Mocha): Promise<TestResult[]> {
	process.on('unhandledRejection', rethrow);
	try {
		return await new Promise((resolve) => {
			const tests: TestResult[] = [];
			let startedAt = performance.now();
			const add = (test: Mocha.Runnable, end: Ended) => {
				// A hook fails for the test that it belongs to.
				const name = test.ctx?.currentTest?.fullTitle() ?? test.fullTitle();
				tests.push({ id: name, name, timeSpentMs: performance.now() - startedAt, ...end });
				startedAt = performance.now();
			};
			mocha
				.run(() => {
					resolve(tests);
				})
				.on('pass', (test) => {
					add(test, { status: TestStatus.Success });
				})
				.on('fail', (test, error: Error) => {
					add(test, { status: TestStatus.Failed, failureMessage: String(error.message) });
				});
		});
	} finally {
		process.off('unhandledRejection', rethrow);
	}
}

/** As mocha's own command does it; then the test that runs has failed. */
function rethrow(reason: unknown): void {
	throw reason;
}
type Ended =
	| { readonly status: typeof TestStatus.Success }
	| { readonly status: typeof TestStatus.Failed; readonly failureMessage: string };

class Tests extends Mocha {
	/** Loads the files here and now; mocha's own way imports them, and then they stay for good. */
	load(): void {
		this.loadFiles();
	}
}

/** What mocha would print is of no use here. */
class Silent extends Mocha.reporters.Base {}
