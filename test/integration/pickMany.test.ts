import assert from 'node:assert/strict';
import { askPickMany } from '../../src/editor/quickInput.js';
import { rare } from '../host/rare';
import { QuickPicks } from './quickPicks.js';

suite('A list of which any number can be chosen', () => {
	let picks: QuickPicks;

	setup(() => {
		picks = new QuickPicks();
	});

	teardown(async () => {
		await picks.leave();
	});

	rare(
		'stays where Enter comes before what is in it, and is answered with what is ticked then',
		async () => {
			const items = Promise.withResolvers<readonly { label: string }[]>();
			let isAnswered = false;
			const asked = askPickMany({
				title: 'Drafts',
				placeholder: 'Choose some',
				emptyText: 'None',
				items: items.promise,
				selected: () => true,
			}).finally(() => {
				isAnswered = true;
			});
			await picks.accept();
			assert.equal(isAnswered, false);
			items.resolve([{ label: 'a' }, { label: 'b' }]);
			await picks.shownTicked(/Choose some/);
			await picks.accept();
			const answer = await asked;
			assert.deepEqual(answer?.type === 'value' ? answer.value.map(({ label }) => label) : answer, [
				'a',
				'b',
			]);
		},
	);
});
