/** User settings that keep everything out of the way that no test is about. */
export const quietSettings: Record<string, unknown> = {
	'workbench.startupEditor': 'none',
	// Pictures are taken as soon as something stands, not while it still fades in.
	'workbench.reduceMotion': 'on',
	'workbench.secondarySideBar.defaultVisibility': 'hidden',
	'workbench.tips.enabled': false,
	// What is asked before money is spent has tests of its own.
	'easel.service.confirmCalls': 'never',
	'chat.disableAIFeatures': true,
	'chat.commandCenter.enabled': false,
	'extensions.ignoreRecommendations': true,
	'extensions.autoCheckUpdates': false,
	'extensions.autoUpdate': false,
	'git.openRepositoryInParentFolders': 'never',
	// A folder that is not trusted opens in Restricted Mode at once.
	'security.workspace.trust.startupPrompt': 'never',
	'security.workspace.trust.banner': 'never',
	// Every port that the tests open would be offered to the user.
	'remote.autoForwardPorts': false,
	// It looks for them all the time even so, by programs of its own.
	'remote.autoForwardPortsSource': 'output',
	'telemetry.telemetryLevel': 'off',
	'update.mode': 'none',
};
