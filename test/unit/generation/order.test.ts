import assert from 'node:assert/strict';
import { onlyOne, type Order } from '../../../src/generation/order.js';

suite('An order', () => {
	test('for a single image asks for all else that it asked for', () => {
		const order = (count: number) =>
			({
				operation: 'edit',
				choices: { prompt: 'a fox', size: '1024x1024', quality: 'high', count, references: [] },
				context: { document: undefined, workspaceFolder: undefined },
				smallerReferences: true,
				style: 'none',
				together: 'a',
			}) as Partial<Order> as Order;
		const four = order(4);
		assert.deepEqual(onlyOne(four), order(1));
		assert.deepEqual(four, order(4));
	});
});
