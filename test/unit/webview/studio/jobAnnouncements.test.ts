import assert from 'node:assert/strict';
import type { Job } from '../../../../src/protocol/studio';
import { Arrivals } from '../../../../src/webview/studio/arrivals';
import { announcementsOf, nameOf } from '../../../../src/webview/studio/jobAnnouncements';

const running: Job = {
	id: '1',
	prompt: 'a harbor',
	details: '1024 × 1024',
	ratio: 1,
	state: 'running',
	words: '0:07',
	announcement: 'sending',
	actions: ['cancel'],
};
const failed: Job = { ...running, state: 'failed', announcement: 'The key is wrong.' };

suite('announcementsOf', () => {
	test('says what is new, not the time that passes', () => {
		assert.deepEqual(
			announcementsOf([running], [{ ...running, words: '0:08', progress: 0.5 }]),
			[],
		);
		assert.deepEqual(
			announcementsOf([running], [{ ...running, announcement: 'receiving the image' }]),
			[{ text: 'a harbor: receiving the image', urgent: false }],
		);
		assert.deepEqual(announcementsOf([], [running]), [
			{ text: 'a harbor: sending', urgent: false },
		]);
		assert.deepEqual(announcementsOf([running], []), []);
	});

	test('what a person has to know at once is urgent', () => {
		assert.deepEqual(announcementsOf([running], [failed]), [
			{ text: 'a harbor: The key is wrong.', urgent: true },
		]);
		assert.deepEqual(announcementsOf([running], [{ ...running, state: 'asking' }]), [
			{ text: 'a harbor: sending', urgent: true },
		]);
	});

	test('a long prompt is named by its beginning', () => {
		assert.equal(nameOf('x'.repeat(5000)), `${'x'.repeat(59)}…`);
		assert.equal(nameOf('\n a fox\nin the snow'), 'a fox');
	});
});

suite('Arrivals', () => {
	test('says of each image that was awaited that it is there, once', () => {
		const arrivals = new Arrivals();
		arrivals.watch([running, { ...running, id: '2', prompt: 'a fox' }]);
		arrivals.watch([]);
		assert.deepEqual(arrivals.arrived(['2', 'another']), ['a fox: the image is there.']);
		assert.deepEqual(arrivals.arrived(['1', '2', 'another']), ['a harbor: the image is there.']);
		assert.deepEqual(arrivals.arrived(['1', '2', 'another']), []);
	});

	test('expects nothing of one that failed, until it is sent again', () => {
		const arrivals = new Arrivals();
		arrivals.watch([running]);
		arrivals.watch([failed]);
		assert.deepEqual(arrivals.arrived(['1']), []);
		arrivals.watch([running]);
		assert.deepEqual(arrivals.arrived(['1']), ['a harbor: the image is there.']);
	});
});
