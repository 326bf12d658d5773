/* peer_ginac METHOD SYSTEM STATE LIMIT: the equations of motion of a system, derived with GiNaC.
 *
 *     first    the recipe of the first kind: z' = G^-1 Z, by matrix::solve
 *     second   the recipe of the second kind, with the inverses of g and of G^ab, by matrix::inverse
 *
 * Of GiNaC's algorithms for these Gauss is the fastest here, much faster than the one it chooses by itself.
 *
 * SYSTEM is what `derivation --system` writes; STATE has a name and a value on each line. Writes a JSON line with the processor
 * time from the energy, forces and constraints to equations that can be evaluated, nothing being simplified, and then, for the
 * comparison, a line with the accelerations at the state. Each has LIMIT seconds. Short derivations are repeated: the median.
 *
 * A program of its own: nothing of ours is linked with it. */
#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace GiNaC;
using std::string;
using std::vector;

/* ---------------------------------------------------------------- reading */

class Reader {
public:
    explicit Reader(const std::map<string, ex> &scope) : scope(scope) {}

    ex read(const string &line)
    {
        text = line;
        at = 0;
        ex result = sum();
        if (peek() != '\0')
            throw std::runtime_error("cannot read " + line.substr(at));
        return result;
    }

private:
    const std::map<string, ex> &scope;
    string text;
    size_t at = 0;

    char peek()
    {
        while (at < text.size() && isspace(static_cast<unsigned char>(text[at])))
            at++;
        return at < text.size() ? text[at] : '\0';
    }
    bool accept(char c)
    {
        bool found = peek() == c;
        at += found;
        return found;
    }
    ex sum()
    {
        ex result = accept('-') ? -product() : product();
        for (;;)
            if (accept('+'))
                result = result + product();
            else if (accept('-'))
                result = result - product();
            else
                return result;
    }
    ex product()
    {
        ex result = power();
        for (;;)
            if (accept('*'))
                result = result * power();
            else if (accept('/'))
                result = result / power();
            else
                return result;
    }
    ex power()
    {
        if (accept('-'))
            return -power();
        ex base = atom();
        return accept('^') ? pow(base, power()) : base;
    }
    ex atom()
    {
        if (accept('(')) {
            ex result = sum();
            accept(')');
            return result;
        }
        peek();
        size_t from = at;
        while (at < text.size() && (isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
            at++;
        string word = text.substr(from, at - from);
        if (word.empty())
            throw std::runtime_error("cannot read " + text.substr(from));
        if (isdigit(static_cast<unsigned char>(word[0])))
            return numeric(word.c_str());
        return accept('(') ? call(word) : name(word);
    }
    ex call(const string &function)
    {
        ex x = sum();
        accept(')');
        if (function == "sin")
            return sin(x);
        if (function == "cos")
            return cos(x);
        if (function == "exp")
            return exp(x);
        if (function == "sqrt")
            return sqrt(x);
        throw std::runtime_error("no function " + function);
    }
    ex name(const string &word)
    {
        auto found = scope.find(word);
        if (found == scope.end())
            throw std::runtime_error("no name " + word);
        return found->second;
    }
};

struct System {
    std::map<string, ex> symbols;
    vector<symbol> q, rate, z;
    symbol time;
    ex K, V;
    vector<ex> force, C, psi;
};

static symbol known(System &s, const string &name)
{
    auto found = s.symbols.find(name);
    if (found == s.symbols.end())
        found = s.symbols.emplace(name, symbol(name)).first;
    return ex_to<symbol>(found->second);
}

static void read_names(System &s, std::istringstream &words)
{
    string what, name;
    words >> what;
    while (words >> name) {
        if (what == "coordinates") {
            s.q.push_back(known(s, name));
            s.rate.push_back(known(s, "d_" + name));
        } else if (what == "velocities") {
            s.z.push_back(known(s, name));
        } else if (what == "time") {
            s.time = known(s, name);
        }
    }
}

static bool is_definition(const string &name)
{
    size_t digits = name.find_first_not_of('k');
    return digits > 0 && digits != string::npos && name.find_first_not_of("0123456789", digits) == string::npos;
}

static System read_system(const char *path)
{
    System s;
    std::map<string, ex> scope;
    std::ifstream file(path);
    string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        string first, second;
        words >> first;
        if (first == "#") {
            read_names(s, words);
        } else if (first == "symbol") {
            words >> second;
            scope[second] = known(s, second);
        } else if (!first.empty()) {
            ex value = Reader(scope).read(line.substr(line.find(" = ") + 3));
            if (is_definition(first))
                scope[first] = value;
            else if (first == "energy")
                s.K = value;
            else if (first == "potential")
                s.V = value;
            else
                (first[0] == 'f' ? s.force : first[0] == 'c' ? s.C : s.psi).push_back(value);
        }
    }
    return s;
}

/* ---------------------------------------------------------------- the recipes */

static matrix column(const vector<ex> &v)
{
    matrix m(static_cast<unsigned>(v.size()), 1);
    for (unsigned i = 0; i < v.size(); i++)
        m(i, 0) = v[i];
    return m;
}

static matrix column(const vector<symbol> &v) { return column(vector<ex>(v.begin(), v.end())); }

static matrix jacobian(const vector<ex> &f, const vector<symbol> &x)
{
    matrix m(static_cast<unsigned>(f.size()), static_cast<unsigned>(x.size()));
    for (unsigned i = 0; i < f.size(); i++)
        for (unsigned j = 0; j < x.size(); j++)
            m(i, j) = f[i].diff(x[j]);
    return m;
}

static vector<ex> time_derivative(const System &s, const vector<ex> &f)
{
    vector<ex> out;
    for (const ex &e : f)
        out.push_back(e.diff(s.time));
    return out;
}

/* g and L: g q'' = L without constraints */
static void free_motion(const System &s, matrix &g, matrix &L)
{
    vector<ex> p;
    for (const symbol &v : s.rate)
        p.push_back(s.K.diff(v));
    g = jacobian(p, s.rate);
    matrix moved = jacobian(p, s.q).mul(column(s.rate)).add(column(time_derivative(s, p)));
    L = matrix(static_cast<unsigned>(s.q.size()), 1);
    for (unsigned i = 0; i < s.q.size(); i++)
        L(i, 0) = s.force[i] - s.V.diff(s.q[i]) + s.K.diff(s.q[i]) - moved(i, 0);
}

/* psi_alpha, G, Z; then z' */
static matrix first_kind(const System &s)
{
    matrix g, L;
    free_motion(s, g, L);
    exmap on_C;
    for (size_t i = 0; i < s.rate.size(); i++)
        on_C[s.rate[i]] = s.psi[i];
    for (unsigned i = 0; i < L.rows(); i++)
        L(i, 0) = L(i, 0).subs(on_C, subs_options::no_pattern);
    matrix psi_alpha = jacobian(s.psi, s.z);
    matrix drift = jacobian(s.psi, s.q).mul(column(s.psi)).add(column(time_derivative(s, s.psi)));
    matrix G = psi_alpha.transpose().mul(g).mul(psi_alpha);
    matrix Z = psi_alpha.transpose().mul(L.sub(g.mul(drift)));
    vector<symbol> unknown(s.z.size());
    return G.solve(column(unknown), Z, solve_algo::gauss);
}

/* C^a_i, C^ai, G_ab, lambda, R; then D */
static matrix second_kind(const System &s)
{
    matrix g, L;
    free_motion(s, g, L);
    matrix C_i = jacobian(s.C, s.rate), g_inverse = g.inverse(solve_algo::gauss), C_upper = C_i.mul(g_inverse);
    matrix G_lower = C_upper.mul(C_i.transpose()).inverse(solve_algo::gauss);
    matrix moved = jacobian(s.C, s.q).mul(column(s.rate)).add(column(time_derivative(s, s.C)));
    matrix lambda = G_lower.mul(C_upper.mul(L).add(moved)).mul_scalar(-1);
    return g_inverse.mul(L.add(C_i.transpose().mul(lambda)));
}

/* ---------------------------------------------------------------- the run */

/* Of the thread: that of the process is coarse where a limit is set. */
static double now()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

static void limit_from_here(int seconds)
{
    rlimit limit;
    limit.rlim_cur = static_cast<rlim_t>(now()) + 1 + static_cast<rlim_t>(seconds);
    limit.rlim_max = RLIM_INFINITY;
    setrlimit(RLIMIT_CPU, &limit);
}

static exmap read_state(System &s, const char *path)
{
    std::ifstream file(path);
    exmap state;
    string name, value;
    while (file >> name >> value)
        state[known(s, name)] = numeric(std::stod(value));
    return state;
}

static int run(const string &method, const char *system, const char *state_path, int limit)
{
    limit_from_here(limit);
    System s = read_system(system);
    exmap state = read_state(s, state_path);
    limit_from_here(limit);
    matrix result;
    vector<double> times;
    double begin = now();
    while (times.empty() || (times.size() < 101 && now() - begin < 0.2)) {
        double start = now();
        result = method == "first" ? first_kind(s) : second_kind(s);
        times.push_back(now() - start);
    }
    std::sort(times.begin(), times.end());
    double seconds = times[times.size() / 2];
    std::printf("{\"seconds\": %.9f, \"process\": %.9f, \"version\": \"%d.%d.%d\"}\n", seconds, begin + seconds,
                GINACLIB_MAJOR_VERSION, GINACLIB_MINOR_VERSION, GINACLIB_MICRO_VERSION);
    std::fflush(stdout);
    limit_from_here(limit);
    std::printf("{\"%s\": [", method == "first" ? "Z" : "D");
    for (unsigned i = 0; i < result.rows(); i++) {
        ex value = result(i, 0).subs(state, subs_options::no_pattern).evalf();
        std::printf("%s%.17g", i ? ", " : "", ex_to<numeric>(value).to_double());
    }
    std::printf("]}\n");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        std::fprintf(stderr, "usage: peer_ginac first|second SYSTEM STATE LIMIT\n");
        return 2;
    }
    try {
        return run(argv[1], argv[2], argv[3], std::stoi(argv[4]));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "peer_ginac: %s\n", error.what());
        return 1;
    }
}
