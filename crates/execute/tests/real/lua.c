// Runs a Lua program in the Lua interpreter.
#include <stdio.h>
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static const char program[] =
    "local t = {}\n"
    "for i = 1, 300 do t[#t + 1] = string.format('%d:%s:%5.2f', i, ('x'):rep(i % 7), i / 3) end\n"
    "local s = table.concat(t, ',')\n"
    "print(#s, s:sub(1, 80))\n"
    "local function counter() local n = 0; return function() n = n + 1; return n end end\n"
    "local c = counter(); c(); c(); print(c())\n"
    "print(select(2, pcall(function() error({code = 42}) end)).code)\n"
    "print(pcall(function() error('boom') end))\n"
    "local words = {}\n"
    "for w in ('the quick brown fox jumps over the lazy dog'):gmatch('%a+') do words[#words + 1] = w end\n"
    "table.sort(words); print(table.concat(words, ' '))\n"
    "local mt = setmetatable({}, {__index = function(_, k) return k .. '!' end,"
    " __call = function(self, a) return a * 2 end})\n"
    "print(mt.hello, mt(21))\n"
    "local co = coroutine.wrap(function(a) for i = 1, 3 do a = coroutine.yield(a + i) end return 'done' end)\n"
    "print(co(1), co(10), co(100), co(1000))\n"
    "print(string.format('%q %g %a %x', 'say \"hi\"\\n', 1e100, 0.5, 255), 7 // 2, 7 % -3, 2^53, 10 // 0.0, 3 | 8)\n"
    "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
    "print(fib(18))\n"
    "print(('hello world'):gsub('o', '0'), ('x'):byte(), tostring(nil), tonumber('0x1p4'), math.maxinteger)\n"
    "print(string.pack('<i4', 100):byte(1, -1))\n"
    "goto done\n"
    "print('skipped')\n"
    "::done::\n"
    "print(os.time{year = 2020, month = 1, day = 1, hour = 12})\n";

int main(void) {
    lua_State *state = luaL_newstate();
    luaL_openlibs(state);
    int failed = luaL_loadbuffer(state, program, sizeof program - 1, "=program") || lua_pcall(state, 0, 0, 0);
    if (failed)
        printf("error: %s\n", lua_tostring(state, -1));
    lua_close(state);
    return failed;
}
