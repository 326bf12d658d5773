// The same in C++.
#include <nonholo.h>

#include <iostream>
#include <memory>
#include <string>

int main()
{
    const std::string skate = "system      Skate\n"
                              "coordinates x, y\n"
                              "angles      theta\n"
                              "parameters  m = 1, I = 1\n"
                              "kinetic     1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2\n"
                              "constraint  blade: x'*sin(theta) - y'*cos(theta) = 0\n";
    std::unique_ptr<nh_context, void (*)(nh_context *)> context(nh_context_new(nullptr), nh_context_free);
    nh_model_source source{};
    source.name = "skate.nh";
    source.text = skate.c_str();
    source.length = skate.size();
    nh_model *read = nullptr;
    if (nh_model_read(context.get(), &source, &read) != NH_OK)
        return 1;

    std::unique_ptr<nh_model, void (*)(nh_model *)> model(read, nh_model_free);
    std::cout << "nonholo " << nh_version() << '\n'
              << nh_model_title(model.get()) << ": " << nh_model_count(model.get(), NH_COORDINATES)
              << " coordinates, " << nh_model_count(model.get(), NH_CONSTRAINTS) << " constraints, freedom "
              << nh_model_freedom(model.get()) << '\n';
}
