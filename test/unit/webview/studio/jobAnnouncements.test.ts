import assert from 'node:assert/strict';
import type { Job } from '../../../../src/protocol/studioModel';
import { announcementsOf, promptName } from '../../../../src/webview/studio/jobAnnouncements';

const running: Job = {
	id: '1',
	label: '3a',
	prompt: 'a harbor',
	details: '1024 × 1024',
	state: 'running',
	words: '0:07',
	short: '0:07',
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
			[{ text: '3a, a harbor: receiving the image', urgent: false }],
		);
		assert.deepEqual(announcementsOf([], [running]), [
			{ text: '3a, a harbor: sending', urgent: false },
		]);
		assert.deepEqual(announcementsOf([running], []), []);
	});

	test('what needs a decision is urgent', () => {
		assert.deepEqual(announcementsOf([running], [failed]), [
			{ text: '3a, a harbor: The key is wrong.', urgent: true },
		]);
		assert.deepEqual(announcementsOf([running], [{ ...running, state: 'asking' }]), [
			{ text: '3a, a harbor: sending', urgent: true },
		]);
	});

	test('what several of a prompt have in common is said once', () => {
		const other = { ...failed, id: '2', label: '3b' };
		assert.deepEqual(announcementsOf([], [failed, other, { ...other, prompt: 'a fox' }]), [
			{ text: '3a, 3b, a harbor: The key is wrong.', urgent: true },
			{ text: '3b, a fox: The key is wrong.', urgent: true },
		]);
	});

	test('a long prompt is named by its beginning', () => {
		assert.equal(promptName('x'.repeat(5000)), `${'x'.repeat(59)}…`);
		assert.equal(promptName('\n a fox\nin the snow'), 'a fox');
	});
});
