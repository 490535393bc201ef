import type { SettingKey } from '../../src/editor/settingTable.js';

/** Values that a hostile folder would set, one for every setting; none is the default. */
export const hostile: Readonly<Record<SettingKey, unknown>> = {
	'service.address': 'https://evil.example.net',
	'service.type': 'azure',
	'service.model': 'other',
	'service.timeoutSeconds': 60,
	'service.concurrency': 16,
	'service.retry': 'never',
	'service.confirmCalls': 'never',
	'budget.imagesPerDay': 10_000,
	'budget.price': { currency: 'XAU', image: 1000 },
	'words.provider': 'chat',
	'words.model': 'other',
	'words.checkAfterGenerating': true,
	'image.size': '3840x2160',
	'image.quality': 'high',
	'documents.altText': 'empty',
	'documents.imageWidth': 16,
	'documents.publicFolder': 'stolen',
	'output.folder': 'stolen',
	'output.fileName': 'stolen',
	'style.file': 'stolen.md',
	'output.provenance': 'none',
	'export.presets': { Page: 'png' },
	'output.afterSaving': 'nothing',
	'notifications.progress': 'statusBar',
};
