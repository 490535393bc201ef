import type { SettingKey } from '../../src/editor/settingTable.js';

/** What a hostile folder would set, for every setting there is; none of it is the default. */
export const hostile: Readonly<Record<SettingKey, unknown>> = {
	'service.address': 'https://evil.example.net',
	'service.model': 'other',
	'service.timeoutSeconds': 60,
	'service.concurrency': 16,
	'service.retry': 'never',
	'service.confirmCalls': 'never',
	'service.confirmAbove': 1000,
	'words.provider': 'chat',
	'words.model': 'other',
	'image.size': '3840x2160',
	'image.quality': 'high',
	'documents.selection': 'replace',
	'documents.altText': 'empty',
	'documents.markdownImage': 'html',
	'documents.imageWidth': 16,
	'documents.publicFolder': 'stolen',
	'edit.saveBeside': false,
	'output.folder': 'stolen',
	'output.fileName': 'stolen',
	'style.file': 'stolen.md',
	'output.provenance': 'none',
	'output.afterSaving': 'nothing',
	'notifications.system': 'windowNotFocused',
};
