// Runs every method of mem0's npm client, unmodified; prints what it called.
import fs from "node:fs";
import { MemoryClient } from "mem0ai";
import { check, fails, orders, poll, report } from "./orders.mjs";

const calls = [];
function counted(client) {
    return new Proxy(client, {
        get(target, name) {
            const value = target[name];
            if (typeof value !== "function") return value;
            return (...given) => {
                calls.push(name);
                return value.apply(target, given);
            };
        },
    });
}

const client = counted(new MemoryClient({ apiKey: orders.token, host: orders.host }));
const stranger = counted(new MemoryClient({ apiKey: orders.stranger, host: `${orders.host}/` }));
const byUser = (user) => ({ filters: { user_id: user } });
const said = (content) => [{ role: "user", content }];

const metadata = { camelKey: 1, snake_key: { innerKey: 2 } };
const added = await client.add(said("I drink oat milk in my coffee"), {
    userId: "ana", agentId: "barista", runId: "r1", infer: false, metadata,
});
const [item] = added.results;
check(item.event === "ADD" && item.userId === "ana", added);
await client.add(said("My flat is in Porto"), { userId: "ana", infer: false });
await client.add(said("I drink water"), { userId: "ben", infer: false });
await stranger.add(said("I drink soy milk"), { userId: "ana", infer: false });

const found = await client.search("what milk?", { ...byUser("ana"), topK: 1 });
check(found.results.length === 1 && found.results[0].memory === "I drink oat milk in my coffee", found);
check(JSON.stringify(found.results[0].metadata) === JSON.stringify(metadata), found.results[0].metadata);
check(found.results[0].scoreBreakdown && found.results[0].createdAt, found.results[0]);

const queued = await client.add(said("My name is Ina and I live in Lisbon."), { userId: "ina" });
check(queued.status === "PENDING" && queued.eventId, queued);
await poll(async () => (await client.getAll(byUser("ina"))).results.some((each) => each.memory.includes("Lisbon")));

const page = await client.getAll({ ...byUser("ana"), page: 2, pageSize: 1 });
check(page.count === 2 && page.results.length === 1 && page.next === null, page);
check((await client.get(item.id)).memory === item.memory);
const updated = await client.update(item.id, { text: "I drink oat milk in tea", metadata: { camelKey: 9 } });
check(updated.memory === "I drink oat milk in tea" && updated.metadata.camelKey === 9, updated);
const history = await client.history(item.id);
check(history.map((each) => each.event).join() === "ADD,UPDATE", history);
await client.batchUpdate([{ memoryId: item.id, text: "I drink oat milk in cocoa" }]);
check((await client.get(item.id)).memory === "I drink oat milk in cocoa");
check((await client.feedback({ memoryId: item.id, feedback: "POSITIVE" })).feedback === "POSITIVE");

const schema = { type: "object", properties: { camelKey: { type: "array" } } };
const created = await client.createMemoryExport({ schema, filters: { user_id: "ana" } });
const exported = await client.getMemoryExport({ memoryExportId: created.id });
check(JSON.stringify(exported.camelKey) === "[9]", exported);

await client.updateProject({ customInstructions: "Keep what is about ships." });
check((await client.getProject({ fields: ["customInstructions"] })).customInstructions === "Keep what is about ships.");
const profile = await client.getProfile({ entityId: "ana" });
check(JSON.stringify(profile.profile).includes("cocoa") && profile.status === "succeeded", profile);
const shape = { properties: { camelKey: { type: "number", description: "A key." } } };
await client.updateProfileSettings({ enabled: true, schema: shape });
check((await client.getProfileSettings()).enabled === true);
const job = await client.generateProfile({ entityId: "ana" });
check((await client.getProfileJob(job.statusUrl ?? job.jobId)).job.status === "succeeded", job);
check((await client.getProfile({ entityId: "ana" })).profile.camelKey === 9);
check((await client.sampleProfiles({ limit: 2 })).sampled === 2);
const hook = { url: "https://hooks.example.org/memory", name: "crm", eventTypes: ["memory_add"] };
const made = await client.createWebhook(hook);
await client.updateWebhook({ webhookId: made.webhookId, name: "other" });
check((await client.getWebhooks()).map((each) => each.name).join() === "other");
await client.deleteWebhook({ webhookId: made.webhookId });
const users = await client.users();
const names = users.results.filter((each) => each.type === "user").map((each) => each.name).sort();
check(names.join() === "ana,ben,ina", users);

await fails("MemoryNotFoundError", () => stranger.get(item.id));
await fails("MemoryNotFoundError", () => stranger.update(item.id, { text: "mine now" }));
await fails("MemoryNotFoundError", () => stranger.delete(item.id));
await fails("MemoryNotFoundError", () => stranger.history(item.id));
await fails("ValidationError", () => client.get("nonsense"));
await fails("ValidationError", () => client.deleteAll());
await fails("ValidationError", () => client.deleteAll({ filters: { user_id: "ana" } }));
await fails("AuthenticationError", () => new MemoryClient({ apiKey: "map_wrong", host: orders.host }).get(item.id));

await client.batchDelete([item.id]);
await fails("MemoryNotFoundError", () => client.get(item.id));
const [flat] = (await client.getAll(byUser("ana"))).results;
await client.delete(flat.id);
await client.deleteAll({ userId: "ina" });
check((await client.getAll(byUser("ina"))).results.length === 0);
await client.deleteUsers({ userId: "ben" });
await client.deleteUsers();
check((await client.users()).results.length === 0);
check((await stranger.getAll(byUser("ana"))).results[0].memory === "I drink soy milk");

const { version } = JSON.parse(fs.readFileSync(new URL("./node_modules/mem0ai/package.json", import.meta.url)));
report({ client: `mem0ai ${version} (npm)`, calls: calls.length, methods: [...new Set(calls)].sort() });
