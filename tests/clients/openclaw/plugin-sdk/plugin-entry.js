// The one thing the plugin imports from its host: a plugin is what it says it is.
export const definePluginEntry = (entry) => entry;
