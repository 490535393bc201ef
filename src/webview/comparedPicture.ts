import type { Picture } from '../protocol/compare.js';
import { messages } from './messages.js';

/** Where the page loads a picture from; empty where there is none. */
export function sourceOf(picture: Picture | undefined): string {
	return picture?.type === 'image' ? picture.source : '';
}

/** Why there is no picture, in words for people. */
export function problemOf(picture: Picture | undefined): string {
	switch (picture?.type) {
		case undefined:
			return '';
		case 'problem':
			return picture.message;
		case 'image':
			return messages.damagedNamed(picture.name);
	}
}
