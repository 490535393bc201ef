#!/usr/bin/env node
// The command `easel check`: a program of its own, whose worker threads are the same file.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
	void import('./run.js')
		.then(({ run }) => run(process.argv.slice(2), __filename))
		.then((code) => {
			process.exitCode = code;
		});
} else {
	void import('../../reading/worker.js');
}
