// Outlives the runner: it reads from its input which sandboxes are open (`+folder`, `-folder`), it
// clears those that are left when the input ends, which it does even if the runner was killed.
import { createInterface } from 'node:readline';
import { clear } from './sandbox';

const open = new Set<string>();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
	if (line.startsWith('+')) open.add(line.slice(1));
	else open.delete(line.slice(1));
});
lines.on('close', () => open.forEach(clear));
