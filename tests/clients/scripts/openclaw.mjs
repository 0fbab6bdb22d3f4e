// Loads mem0's OpenClaw plugin, unmodified, into a small host and uses all it registers; prints what it called.
import fs from "node:fs";
import plugin from "@mem0/openclaw-mem0";
import { check, orders, poll, report } from "./orders.mjs";

const calls = [];

function load(pluginConfig) {
    const tools = {}, hooks = {};
    const silent = { info() {}, warn() {}, error() {}, debug() {} };
    plugin.register({
        pluginConfig,
        logger: silent,
        registerTool: (tool) => { tools[tool.name] = tool; },
        registerCli() {},
        registerService() {},
        registerMemoryCapability() {},
        resolvePath: (path) => path,
        on: (name, handler) => { hooks[name] = handler; },
    });
    const use = async (name, params = {}) => {
        calls.push(name);
        const answer = await tools[name].execute("call", params);
        check(!answer.details?.error, name, answer);
        return answer;
    };
    return { tools, hooks, use };
}

const config = (apiKey, userId) => ({
    mode: "platform", apiKey, baseUrl: orders.host, userId, autoCapture: true, autoRecall: true,
    skills: { triage: { enabled: true }, recall: { enabled: true, strategy: "always" } },
});
const mine = load(config(orders.token, "ana"));
const theirs = load(config(orders.stranger, "ana"));
check(Object.keys(mine.tools).length === 8, Object.keys(mine.tools));

const text = (answer) => answer.content.map((part) => part.text).join("\n");
await mine.use("memory_add", {
    facts: ["User drinks oat milk in coffee", "User lives in Porto with two cats"], category: "preference", importance: 0.9,
});
await theirs.use("memory_add", { facts: ["User drinks soy milk in the morning"], category: "preference" });
const listed = await mine.use("memory_list", {});
check(text(listed).includes("oat milk") && text(listed).includes("Porto") && !text(listed).includes("soy"), listed);
const found = await mine.use("memory_search", { query: "milk coffee preference", categories: ["preference"] });
check(text(found).includes("oat milk"), found);
const all = await mine.use("memory_search", { query: "milk", filters: { created_at: { gte: "2020-01-01" } } });
check(text(all).includes("oat milk") && !text(all).includes("soy"), all);
const [memory] = found.details.memories ?? found.details.results ?? [];
const id = memory?.id ?? text(found).match(/[0-9a-f]{8}-[0-9a-f-]{27}/)[0];
check(text(await mine.use("memory_get", { memoryId: id })).length > 0);
const foreign = await theirs.tools.memory_get.execute("call", { memoryId: id });
check(foreign.details?.error || /not found|failed/i.test(text(foreign)), foreign);
await mine.use("memory_update", { memoryId: id, text: "User drinks oat milk in tea" });
check(text(await mine.use("memory_get", { memoryId: id })).includes("tea"));

calls.push("before_prompt_build");
const context = { sessionKey: "agent:main:main", trigger: "user" };
const recalled = await mine.hooks.before_prompt_build({ prompt: "Which milk do I like?", messages: [] }, context);
check(JSON.stringify(recalled).includes("oat milk") && !JSON.stringify(recalled).includes("soy"), recalled);
await mine.use("memory_add", { facts: ["User is looking for a venue today"], category: "project", longTerm: false });
const session = await mine.use("memory_list", { scope: "session" });
check(text(session).includes("venue") && !text(session).includes("Porto"), session);

// Without the skills the plugin hands over what was said and leaves the reading to the server.
const legacy = load({ ...config(orders.token, "ina"), skills: undefined });
calls.push("agent_end");
const talk = [
    { role: "user", content: "My name is Ina, I live in Lisbon and I work as a nurse at the harbour hospital." },
    { role: "assistant", content: "Good to know, Ina. I will keep in mind that you live in Lisbon and work as a nurse." },
];
await legacy.hooks.agent_end?.({ success: true, messages: talk }, { sessionKey: "agent:main:other", trigger: "user" });
await poll(async () => text(await legacy.use("memory_list", {})).includes("Lisbon"));
const events = await mine.use("memory_event_list");
const event = text(events).match(/[0-9a-f]{8}-[0-9a-f-]{27}/)[0];
check(text(await mine.use("memory_event_status", { event_id: event })).includes(event));

await mine.use("memory_delete", { memoryId: id });
check(!text(await mine.use("memory_list", {})).includes("in tea"));
await mine.use("memory_delete", { all: true, confirm: true });
check(!text(await mine.use("memory_list", {})).includes("Porto"));
check(text(await theirs.use("memory_list", {})).includes("soy"));

const manifest = "./node_modules/@mem0/openclaw-mem0/package.json";
const { version } = JSON.parse(fs.readFileSync(new URL(manifest, import.meta.url)));
report({ client: `@mem0/openclaw-mem0 ${version}`, calls: calls.length, methods: [...new Set(calls)].sort() });
